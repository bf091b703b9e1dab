import { type Auth, type AuthDeps, createAuth } from '#features/auth/auth.ts';
import type { AccountMail } from '#features/auth/auth.mail.ts';
import { openDatabase } from '#platform/database.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';

export const APP = 'http://localhost:3000';
export const PASSWORD = 'correct horse';

/** Sign-in on a database of its own, with what it mailed and what it logged. */
export async function startAuth(deps: Partial<AuthDeps> = {}) {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase(url, { encryptionKey: TEST_ENCRYPTION_KEY });
  const mails: AccountMail[] = [];
  const errors: string[] = [];
  const auth = await createAuth({
    pool: database.auth,
    secret: TEST_ENCRYPTION_KEY,
    appUrl: null,
    emailVerification: false,
    google: null,
    sendAccountMail: async (mail) => void mails.push(mail),
    log: { error: (_: unknown, message?: string) => void errors.push(message ?? '') },
    rateLimit: false,
    ...deps,
  });
  return {
    auth,
    pool: database.auth,
    mails,
    errors,
    async stop() {
      await auth.mailSent();
      await database.close();
      await drop();
    },
  };
}

/** A browser at `origin`: keeps cookies and says where its requests come from. */
export function browserAt(auth: Pick<Auth, 'handle'>, origin = APP) {
  const cookies = new Map<string, string>();

  async function send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
    const headers = new Headers({ cookie: cookieHeader(), 'user-agent': 'A browser' });
    if (method === 'POST') headers.set('origin', origin);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const request = new Request(new URL(path, origin), { method, headers, body: JSON.stringify(body) });
    const response = await auth.handle(request);
    for (const cookie of response.headers.getSetCookie()) keep(cookie);
    return response;
  }

  function keep(setCookie: string) {
    const [pair = ''] = setCookie.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (/max-age=0/i.test(setCookie)) cookies.delete(name);
    else cookies.set(name, value);
  }

  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  return {
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown) => send('POST', path, body),
    keep,
    headers: () => new Headers({ cookie: cookieHeader() }),
    cookies,
  };
}

export const codeOf = async (response: Response) => {
  const answer: { code?: string } = await response.json();
  return { status: response.status, code: answer.code };
};
