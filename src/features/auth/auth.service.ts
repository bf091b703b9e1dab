import { betterAuth } from 'better-auth/minimal';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { z } from 'zod';
import { createActRecorder, recordAnswer } from '#features/auth/auth.acts.ts';
import { accountSuspended } from '#features/auth/auth.adapter.ts';
import { confirmPerson } from '#features/auth/auth.confirm.ts';
import { createSignInLimits, type SignInLimits } from '#features/auth/auth.limits.ts';
import { type AccountMail, createPostbox, invitationMail } from '#features/auth/auth.mail.ts';
import { authOptions, type Passwords } from '#features/auth/auth.options.ts';
import { originsOf } from '#features/auth/auth.origins.ts';
import { insertPerson, type NewPerson, passwordOf, removeSession } from '#features/auth/auth.people.ts';
import { admit, refusal } from '#features/auth/auth.requests.ts';
import { createSessions, type Person } from '#features/auth/auth.sessions.ts';
import { Unauthenticated } from '#platform/errors.ts';
import { isFromAnotherSite } from '#platform/fetch-site.ts';
import type { Log } from '#platform/log.ts';
import type { PubSub } from '#platform/pubsub.ts';
import type { Schema } from '#platform/schema.ts';

export type { Person } from '#features/auth/auth.sessions.ts';

export type Auth = {
  /**
   * Answers /api/auth/*: a few of better-auth's addresses, in its own shapes. Throws NotFound for every other one, Invalid
   * for a return address that is not ours, and RateLimited for what is done too often.
   * @param from the address that the connection comes from; limits go by it
   */
  handle(request: Request, from?: { clientAddress: string }): Promise<Response>;
  /** The person of the session cookie; up to 30 seconds old. */
  sessionOf(headers: Headers): Promise<Person | null>;
  /** Makes the next `sessionOf` of this cookie query the database; called after a change to the person. */
  forget(headers: Headers): void;
  /** Signs somebody in without a password. Returns the values of the Set-Cookie headers. */
  issueSession(userId: string, request: Request): Promise<string[]>;
  /**
   * Asks a signed-in person who they are once more: by the password, or, without one, by a sign-in of the last ten minutes. Throws
   * Invalid for a wrong password, Forbidden for a sign-in that is too old, and RateLimited for too many tries.
   */
  confirmPerson(headers: Headers, password: string | undefined): Promise<void>;
  /** Creates a person with a confirmed address; no mail is sent. Throws Conflict when the address is taken. */
  createPerson(person: NewPerson): Promise<{ id: string }>;
  /** Queues the mail of an invitation. False where its mailbox has got too many. */
  mailInvitation(invitation: Parameters<typeof invitationMail>[0]): Promise<boolean>;
  /** Resolves once all account mail was sent; awaited before the database closes. */
  mailSent(): Promise<void>;
  /** Stops listening for sessions that end in other processes. */
  close(): void;
};

export type AuthDeps = {
  /** Of the role cuebird_auth; hands out Dates. */
  pool: pg.Pool;
  /** Announces sessions that end in other processes; while it does not listen, no session is cached. */
  pubsub: Pick<PubSub, 'subscribe' | 'isListening'>;
  secret: string;
  /** The address that people use; null trusts loopback addresses on any port. */
  appUrl: string | null;
  emailVerification: boolean;
  google: { clientId: string; clientSecret: string } | null;
  sendAccountMail: (mail: AccountMail) => Promise<void>;
  log?: Pick<Log, 'error'>;
  /** Off only where one address signs up hundreds of people, as tests do. */
  rateLimit?: boolean;
  /** Scrypt by default; another one only in tests. */
  passwords?: Passwords | undefined;
  now?: () => Temporal.Instant;
};

const unlimited: SignInLimits = {
  admit: async () => {},
  recordSuccess: async () => {},
  remember: async () => {},
  mayMail: async () => true,
  admitConfirmation: async () => {},
  recordConfirmation: async () => {},
};

const silent: Pick<Log, 'error'> = { error: () => {} };

export async function createAuth(deps: AuthDeps): Promise<Auth> {
  const { pool, pubsub, log = silent, rateLimit = true, now = () => Temporal.Now.instant() } = deps;
  const origins = originsOf(deps.appUrl);
  const postbox = createPostbox(deps.sendAccountMail, log);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const limits = rateLimit ? createSignInLimits(db, { now }) : unlimited;
  const record = createActRecorder(pool, { now });
  const auth = betterAuth(authOptions({ ...deps, origins, postbox, log, limits, record }));
  const { internalAdapter, password, authCookies, secret } = await auth.$context;
  const { emailVerification } = deps;
  const cookie = { ...authCookies.sessionToken, secret };
  const sessions = createSessions(pool, { cookie, now, pubsub, emailVerification });

  async function handle(request: Request, from?: { clientAddress: string }): Promise<Response> {
    const origin = request.headers.get('origin');
    if (request.method !== 'GET' && origin !== null && !origins.trusts(origin)) {
      return refusal(403, 'INVALID_ORIGIN', `Requests from ${origin} are not trusted. ${howToTrust}`);
    }
    if (request.method !== 'GET' && origin === null && isFromAnotherSite(request))
      return refusal(403, 'INVALID_ORIGIN', 'This request comes from another site');
    const url = new URL(request.url);
    if (deps.appUrl === null && !origins.trusts(url.origin)) {
      return refusal(403, 'INVALID_HOST', `${url.host} is not trusted. ${howToTrust}`);
    }
    // The body is read only after admission.
    const clientAddress = from?.clientAddress ?? null;
    const admission = await admit(request, { clientAddress, origins });
    if ('refusal' in admission) return admission.refusal;
    const { path, email } = admission;
    await limits.admit(path, { clientAddress, email });
    const response =
      path === '/sign-in/email' && email !== null
        ? await signIn(admission.request, email)
        : await auth.handler(admission.request);
    // better-auth answers a fault with an empty body.
    if (response.status >= 500) throw new Error(`${path} of sign-in answered ${response.status}`);
    // Somebody who follows a link gets a screen that says why, not JSON.
    if (request.method === 'GET' && response.status === 403 && (await codeOf(response)) === accountSuspended.code)
      return new Response(null, { status: 302, headers: { location: `/auth?error=${accountSuspended.code}` } });
    if (path === '/sign-out') sessions.forget(request.headers);
    if (path === '/reset-password') sessions.forgetAll();
    if (response.ok && path === '/sign-in/email') await limits.recordSuccess({ clientAddress, email });
    if (response.ok && path === '/sign-up/email') await limits.remember({ clientAddress, email });
    await recordAnswer(record, { path, email, clientAddress, response, pool, sessions });
    return response;
  }

  /** Refuses a sign-in whose password was changed while it ran, as if it had come after the change. */
  async function signIn(request: Request, email: string): Promise<Response> {
    const before = await passwordOf(pool, email);
    const response = await auth.handler(request);
    if (!response.ok || before === (await passwordOf(pool, email))) return response;
    for (const cookie of response.headers.getSetCookie()) {
      const tokenHash = sessions.tokenHashIn(new Headers({ cookie: cookie.split(';')[0] ?? '' }));
      if (tokenHash !== null) await removeSession(pool, tokenHash);
    }
    return refusal(401, 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password');
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
    confirmPerson: async (headers, given) => {
      const person = await sessions.personOf(headers);
      if (person === null) throw new Unauthenticated();
      await confirmPerson({ pool, limits, verify: password.verify, now }, { person, given });
    },
    createPerson: (person) => insertPerson(pool, { ...person, hash: password.hash }),
    async mailInvitation(invitation) {
      if (!(await limits.mayMail('/invitation', invitation.to))) return false;
      postbox.post(invitationMail(invitation));
      return true;
    },
    mailSent: postbox.emptied,
    close: sessions.close,
  };
}

/** The code of a refusal in better-auth's own format. */
const codeOf = async (response: Response): Promise<unknown> =>
  z.object({ code: z.string() }).safeParse(await response.clone().json()).data?.code;

const howToTrust = 'Set APP_URL to the address under which people open Cuebird.';
