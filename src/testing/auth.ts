import pg from 'pg';
import { type Auth, type AuthDeps, createAuth } from '#features/auth/auth.service.ts';
import type { AccountMail } from '#features/auth/auth.mail.ts';
import { openDatabase } from '#platform/database.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';

export const APP = 'http://localhost:3000';
export const PASSWORD = 'correct horse';

/** Sign-in on a database of its own, with what it mailed and what it logged. */
export async function startAuth(deps: Partial<AuthDeps> = {}) {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase(url, { encryptionKey: TEST_ENCRYPTION_KEY });
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
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
    /** For what sign-in's own role may not read. */
    owner,
    mails,
    errors,
    async stop() {
      await auth.mailSent();
      await Promise.all([database.close(), owner.end()]);
      await drop();
    },
  };
}

/** A browser at `origin`: keeps cookies and says where its requests come from. */
export function browserAt(auth: Pick<Auth, 'handle'>, origin = APP) {
  const cookies = new Map<string, string>();

  async function send(path: string, body?: object): Promise<Response> {
    const headers = new Headers({ cookie: cookieHeader(), 'user-agent': 'A browser' });
    if (body !== undefined) {
      headers.set('origin', origin);
      headers.set('content-type', 'application/json');
    }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await auth.handle(new Request(new URL(path, origin), init));
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
    get: (path: string) => send(path),
    post: (path: string, body: object) => send(path, body),
    keep,
    headers: () => new Headers({ cookie: cookieHeader() }),
    cookies,
  };
}

export const codeOf = async (response: Response) => {
  const answer: { code?: string } = await response.json();
  return { status: response.status, code: answer.code };
};
