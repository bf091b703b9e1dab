import type pg from 'pg';
import { userOf } from '#features/auth/auth.people.ts';
import type { Sessions } from '#features/auth/auth.sessions.ts';
import { type AccountAct, recordAccountAct } from '#platform/audit.ts';

export type RecordAct = (act: Omit<AccountAct, 'now'>) => Promise<void>;

/** Records acts on accounts in the audit log. */
export const createActRecorder =
  (pool: pg.Pool, { now }: { now: () => Temporal.Instant }): RecordAct =>
  (act) =>
    recordAccountAct(pool, { ...act, now: now() });

/** The paths that sign somebody in, with the name of each in the audit log. */
const signInPaths: Record<string, string> = {
  '/sign-in/email': 'with the password',
  '/sign-up/email': 'after signing up',
  '/verify-email': 'with the link of a mail',
  '/callback/google': 'with Google',
};

type Answered = {
  path: string;
  /** The address that was entered in the form. */
  email: string | null;
  clientAddress: string | null;
  response: Response;
  pool: pg.Pool;
  sessions: Pick<Sessions, 'tokenHashIn' | 'waitingForSecondFactor'>;
};

/** Records the result of a request to sign in: who is signed in now, or whose account was tried. */
export async function recordAnswer(
  record: RecordAct,
  { path, email, clientAddress, response, ...ports }: Answered,
): Promise<void> {
  const how = signInPaths[path];
  const userId = how === undefined ? null : await signedInBy(response, ports);
  if (userId !== null && how !== undefined)
    return record({
      account: { userId },
      isByOwner: true,
      action: 'sign_in.succeeded',
      details: { how },
      clientAddress,
    });
  if (email !== null && path === '/sign-in/email' && response.status === 401)
    await record({
      account: { email },
      isByOwner: false,
      action: 'sign_in.failed',
      details: { reason: 'wrong password' },
      clientAddress,
    });
}

/** The cookies that an answer sets, in the form in which the browser will send them. */
export const cookiesOf = (response: Response): Headers =>
  new Headers({
    cookie: response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  });

/** The person of the session that the answer opens; null where it opens none. */
async function signedInBy(
  response: Response,
  { pool, sessions }: Pick<Answered, 'pool' | 'sessions'>,
): Promise<string | null> {
  const cookies = cookiesOf(response);
  const tokenHash = sessions.tokenHashIn(cookies);
  // A session without its second factor is recorded later, by `two-factor.requests.ts`.
  if ((await sessions.waitingForSecondFactor(cookies)) !== null) return null;
  return tokenHash === null ? null : userOf(pool, tokenHash);
}
