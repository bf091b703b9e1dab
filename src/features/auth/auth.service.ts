import { betterAuth } from 'better-auth/minimal';
import type pg from 'pg';
import { type AccountMail, createPostbox } from '#features/auth/auth.mail.ts';
import { authOptions } from '#features/auth/auth.options.ts';
import { originsOf } from '#features/auth/auth.origins.ts';
import { insertPerson, type NewPerson } from '#features/auth/auth.people.ts';
import { AUTH_PATH, admit, refusal } from '#features/auth/auth.requests.ts';
import { createSessions, type Person } from '#features/auth/auth.sessions.ts';
import type { Log } from '#platform/log.ts';

export type { Person } from '#features/auth/auth.sessions.ts';

export type Auth = {
  /**
   * Answers /api/auth/*: a few of better-auth's addresses, in its own shapes. Throws NotFound for every other one.
   * @param from the address that the connection comes from; limits go by it
   */
  handle(request: Request, from?: { clientAddress: string }): Promise<Response>;
  /** Who the session cookie belongs to; up to 30 seconds old. */
  sessionOf(headers: Headers): Promise<Person | null>;
  /** Has the next `sessionOf` of this cookie ask the database: for after a change to the person. */
  forget(headers: Headers): void;
  /** Signs somebody in without a password. Returns the values of the Set-Cookie headers. */
  issueSession(userId: string, request: Request): Promise<string[]>;
  /** Makes a person with a confirmed address; no mail is sent. Throws Conflict when the address is taken. */
  createPerson(person: NewPerson): Promise<{ id: string }>;
  /** Resolves once all account mail was handed on: to be awaited before the database closes. */
  mailSent(): Promise<void>;
};

export type AuthDeps = {
  /** Of the role cuebird_auth; hands out Dates. */
  pool: pg.Pool;
  secret: string;
  /** The address that people use; null trusts loopback addresses on any port. */
  appUrl: string | null;
  emailVerification: boolean;
  google: { clientId: string; clientSecret: string } | null;
  sendAccountMail: (mail: AccountMail) => Promise<void>;
  log?: Pick<Log, 'error'>;
  /** Off only where one address signs up hundreds of people, as tests do. */
  rateLimit?: boolean;
  now?: () => Temporal.Instant;
};

const silent: Pick<Log, 'error'> = { error: () => {} };

export async function createAuth(deps: AuthDeps): Promise<Auth> {
  const { pool, log = silent, rateLimit = true, now = () => Temporal.Now.instant() } = deps;
  const origins = originsOf(deps.appUrl);
  const postbox = createPostbox(deps.sendAccountMail, log);
  const auth = betterAuth(authOptions({ ...deps, origins, postbox, log, rateLimit }));
  const { internalAdapter, password, authCookies, secret } = await auth.$context;
  const sessions = createSessions(pool, { cookie: { ...authCookies.sessionToken, secret }, now });

  async function handle(request: Request, from?: { clientAddress: string }): Promise<Response> {
    const admission = await admit(request, { clientAddress: from?.clientAddress ?? null });
    if ('refusal' in admission) return admission.refusal;
    const origin = request.headers.get('origin');
    if (request.method !== 'GET' && origin !== null && !origins.trusts(origin)) {
      return refusal(403, 'INVALID_ORIGIN', `Requests from ${origin} are not trusted. ${howToTrust}`);
    }
    const url = new URL(request.url);
    if (deps.appUrl === null && !origins.trusts(url.origin)) {
      return refusal(403, 'INVALID_HOST', `${url.host} is not trusted. ${howToTrust}`);
    }
    const response = await auth.handler(admission.request);
    if (url.pathname === `${AUTH_PATH}/sign-out`) sessions.forget(request.headers);
    if (url.pathname === `${AUTH_PATH}/reset-password`) sessions.forgetAll();
    return response;
  }

  return {
    handle,
    sessionOf: sessions.personOf,
    forget: sessions.forget,
    async issueSession(userId, request) {
      const userAgent = request.headers.get('user-agent') ?? '';
      const session = await internalAdapter.createSession(userId, false, { userAgent });
      return [sessions.cookieFor(session.token)];
    },
    createPerson: (person) => insertPerson(pool, { ...person, hash: password.hash }),
    mailSent: postbox.emptied,
  };
}

const howToTrust = 'Set APP_URL to the address under which people open Cuebird.';
