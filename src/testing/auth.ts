import pg from 'pg';
import { type Auth, type AuthDeps, createAuth } from '#features/auth/auth.service.ts';
import type { AccountMail } from '#features/auth/auth.mail.ts';
import { openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { openPubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { quickPasswords } from '#testing/passwords.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';

export const APP = 'http://localhost:3000';
export const PASSWORD = 'correct horse';

/** Sign-in on a separate database, with the mail that it sent and the lines that it logged. */
export async function startAuth(deps: Partial<AuthDeps> = {}) {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase(url, { encryptionKey: TEST_ENCRYPTION_KEY });
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const mails: AccountMail[] = [];
  const errors: string[] = [];
  const listenUrl = urlForRole(url, { role: 'engine', encryptionKey: TEST_ENCRYPTION_KEY });
  const pubsub = await openPubSub(listenUrl, createLog('silent'));
  const settings: AuthDeps = {
    pool: database.auth,
    pubsub,
    secret: TEST_ENCRYPTION_KEY,
    appUrl: null,
    emailVerification: false,
    google: null,
    sendAccountMail: async (mail) => void mails.push(mail),
    log: { error: (_: unknown, message?: string) => void errors.push(message ?? '') },
    rateLimit: false,
    passwords: quickPasswords,
    ...deps,
  };
  const auth = await createAuth(settings);
  return {
    auth,
    pool: database.auth,
    pubsub,
    /** The connection URL for listening to notifications of this database. */
    listenUrl,
    /** Sign-in in another process on the same database. */
    another: (others: Partial<AuthDeps>) => createAuth({ ...settings, ...others }),
    /** A connection for rows that sign-in's own role may not read. */
    owner,
    mails,
    errors,
    async stop() {
      await auth.mailSent();
      await pubsub.close();
      await Promise.all([database.close(), owner.end()]);
      await drop();
    },
  };
}

/** A browser at `origin`: it keeps cookies and sends the headers that name its origin. */
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
