import { betterAuth } from 'better-auth/minimal';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { z } from 'zod';
import type { TwoFactorState } from '#contract/two-factor.ts';
import { cookiesOf, createActRecorder, recordAnswer } from '#features/auth/auth.acts.ts';
import { accountSuspended } from '#features/auth/auth.adapter.ts';
import { type Reauthentication, createReauthentication } from '#features/auth/reauthentication.ts';
import { createSignInLimits, type SignInLimits } from '#features/auth/auth.limits.ts';
import {
  accountDeletedMail,
  type AccountMail,
  createPostbox,
  workspaceDeletedMail,
  invitationMail,
} from '#features/auth/auth.mail.ts';
import { authOptions, type Passwords } from '#features/auth/auth.options.ts';
import { createSignedInDevices, type SignedInDevices } from '#features/auth/devices.ts';
import { createEmailChanges, type EmailChanges } from '#features/auth/email-change.ts';
import { changePassword, type PasswordChange } from '#features/auth/password-change.ts';
import { emailOfResetLink } from '#features/auth/reset-link.ts';
import { originsOf } from '#features/auth/auth.origins.ts';
import {
  insertPerson,
  type NewPerson,
  passwordOf,
  removeSession,
  type SignIns,
  signInsOf,
} from '#features/auth/auth.people.ts';
import { admit, refusal } from '#features/auth/auth.requests.ts';
import { createSessions, type Person } from '#features/auth/auth.sessions.ts';
import { createTwoFactor } from '#features/auth/two-factor.ts';
import { createTwoFactorRequests, isOpenBeforeSecondFactor } from '#features/auth/two-factor.requests.ts';
import { SecondFactorRequired, Unauthenticated } from '#platform/errors.ts';
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
  /** As `sessionOf`. Throws Unauthenticated, or SecondFactorRequired where only the code is missing. */
  requirePerson(headers: Headers): Promise<Person>;
  /** Throws ReauthenticationRequired when the session's last proof of who uses it is older than ten minutes. */
  assertReauthenticated(headers: Headers): Promise<void>;
  reauthentication: Omit<Reauthentication, 'assertReauthenticated'>;
  twoFactorOf(person: Person): Promise<TwoFactorState>;
  /** False for people who sign in with Google only. */
  hasPassword(person: Person): Promise<boolean>;
  /**
   * Replaces the password; every other session of the person ends, and a mail tells it. Throws Invalid for a wrong current password
   * or a new one that is too short, Unprocessable where there is none to change, Forbidden for the demo account, and RateLimited.
   */
  changePassword(person: Person, change: PasswordChange): Promise<void>;
  emailChanges: EmailChanges;
  devices: SignedInDevices;
  /** Creates a person with a confirmed address; no mail is sent. Throws Conflict when the address is taken. */
  createPerson(person: NewPerson): Promise<{ id: string }>;
  /** How the person signs in, and where they are signed in. */
  signInsOf(userId: string): Promise<SignIns>;
  /** Queues the mail to somebody whose account was deleted. */
  mailAccountDeleted(to: string): void;
  /** Queues the mail of an invitation. False where its mailbox has got too many. */
  mailInvitation(invitation: Parameters<typeof invitationMail>[0]): Promise<boolean>;
  /** Queues the mail that tells an owner of a deleted workspace. False where its mailbox has got too many. */
  mailWorkspaceDeleted(deletion: Parameters<typeof workspaceDeletedMail>[0]): Promise<boolean>;
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
  /** 6 by default. */
  minPasswordLength?: number;
  google: { clientId: string; clientSecret: string } | null;
  sendAccountMail: (mail: AccountMail) => Promise<void>;
  /** True by default. Without mail, people without a password confirm who they are by signing in again. */
  canSendMail?: boolean;
  log?: Pick<Log, 'error'>;
  /** Off only where one address signs up hundreds of people, as tests do. */
  rateLimit?: boolean;
  /** Scrypt by default; another one only in tests. */
  passwords?: Passwords | undefined;
  now?: () => Temporal.Instant;
};

const unlimited: SignInLimits = {
  admit: async () => {},
  isFirstRefusal: async () => true,
  recordSuccess: async () => {},
  remember: async () => {},
  mayMail: async () => true,
  admitReauthentication: async () => {},
  recordReauthentication: async () => {},
  admitCode: async () => {},
  admitRecoveryCode: async () => {},
  recordRecoveryCode: async () => {},
};

const silent: Pick<Log, 'error'> = { error: () => {} };

export async function createAuth(deps: AuthDeps): Promise<Auth> {
  const { pool, pubsub, log = silent, rateLimit = true, now = () => Temporal.Now.instant() } = deps;
  const { minPasswordLength = 6, canSendMail = true } = deps;
  const origins = originsOf(deps.appUrl);
  const postbox = createPostbox(deps.sendAccountMail, log);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const limits = rateLimit ? createSignInLimits(db, { now }) : unlimited;
  const record = createActRecorder(pool, { now });
  const auth = betterAuth(authOptions({ ...deps, origins, postbox, log, limits, record, minPasswordLength }));
  const { internalAdapter, password, authCookies, secret, secretConfig: key } = await auth.$context;
  const { emailVerification } = deps;
  const cookie = { ...authCookies.sessionToken, secret };
  const sessions = createSessions(pool, { cookie, now, pubsub, emailVerification });
  const twoFactor = createTwoFactor({ pool, limits, postbox, key, now });
  const { verify } = password;
  const { assertReauthenticated, ...reauthentication } = createReauthentication({
    pool,
    limits,
    postbox,
    twoFactor,
    verify,
    secret,
    canSendMail,
    now,
    record,
  });
  const answerTwoFactor = createTwoFactorRequests({
    pool,
    limits,
    postbox,
    sessions,
    twoFactor,
    now,
    record,
    reauthentication: { ...reauthentication, assertReauthenticated },
    plugin: auth.handler,
  });

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
    const admission = await admit(request, { clientAddress, origins, minPasswordLength });
    if ('refusal' in admission) return admission.refusal;
    const { path, email, token } = admission;
    try {
      await limits.admit(path, { clientAddress, email });
    } catch (error) {
      if (path === '/sign-in/email' && email !== null) await recordLocked({ email, clientAddress });
      throw error;
    }
    if (!isOpenBeforeSecondFactor(path) && (await sessions.waitingForSecondFactor(request.headers)) !== null)
      throw new SecondFactorRequired();
    if (path === '/check-reset-link') return checkResetLink(token ?? '');
    // It is renewed first. A session that does not count here must not look like one to the web, which would go back and forth between two screens.
    if (path === '/get-session' && (await sessions.personOf(request.headers)) === null) return Response.json(null);
    if (path === '/request-password-reset') {
      postbox.post(requestReset(admission.request, { email, clientAddress }));
      return Response.json({ status: true });
    }
    const leaving = path === '/sign-out' ? await sessions.personOf(request.headers) : null;
    const response =
      path === '/sign-in/email' && email !== null
        ? await signIn(admission.request, email)
        : ((await answerTwoFactor(path, admission.request)) ?? (await auth.handler(admission.request)));
    // better-auth answers a fault with an empty body.
    if (response.status >= 500) throw new Error(`${path} of sign-in answered ${response.status}`);
    // Somebody who follows a link gets a screen that says why, not JSON.
    if (request.method === 'GET' && response.status === 403 && (await codeOf(response)) === accountSuspended.code)
      return new Response(null, { status: 302, headers: { location: `/auth?error=${accountSuspended.code}` } });
    if (path === '/sign-out') sessions.forget(request.headers);
    if (leaving !== null)
      await record({
        account: { userId: leaving.userId },
        isByOwner: true,
        action: 'sign_in.signed_out',
        clientAddress,
      });
    if (path === '/reset-password') sessions.forgetAll();
    if (response.ok && path === '/sign-in/email') await limits.recordSuccess({ clientAddress, email });
    if (response.ok && path === '/sign-up/email') await limits.remember({ clientAddress, email });
    await recordAnswer(record, { path, email, clientAddress, response, pool, sessions });
    return response;
  }

  const recordLocked = async ({ email, clientAddress }: { email: string; clientAddress: string | null }) =>
    (await limits.isFirstRefusal(email)) &&
    record({
      account: { email },
      isByOwner: false,
      action: 'sign_in.failed',
      details: { reason: 'too many wrong passwords' },
      clientAddress,
    });

  /** The answer does not wait for it: its time would tell whether the address has an account. The mail is queued within. */
  async function requestReset(
    request: Request,
    { email, clientAddress }: { email: string | null; clientAddress: string | null },
  ): Promise<null> {
    const { ok, status } = await auth.handler(request);
    if (!ok) throw new Error(`a request to reset a password answered ${status}`);
    if (email !== null)
      await record({ account: { email }, isByOwner: false, action: 'account.reset_requested', clientAddress });
    return null;
  }

  /** Nothing is used up: a page is opened more than once. */
  async function checkResetLink(given: string): Promise<Response> {
    const email = await emailOfResetLink(pool, { token: given, now: now() });
    return email === null ? refusal(400, 'INVALID_TOKEN', 'Invalid token') : Response.json({ email });
  }

  /** Refuses a sign-in whose password was changed while it ran, as if it had come after the change. */
  async function signIn(request: Request, email: string): Promise<Response> {
    const before = await passwordOf(pool, email);
    const response = await auth.handler(request);
    if (!response.ok) return response;
    const signedIn = cookiesOf(response);
    if (before === (await passwordOf(pool, email)))
      return (await sessions.waitingForSecondFactor(signedIn)) === null ? response : secondFactorAnswer(response);
    const tokenHash = sessions.tokenHashIn(signedIn);
    if (tokenHash !== null) await removeSession(pool, tokenHash);
    return refusal(401, 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password');
  }

  async function requirePerson(headers: Headers): Promise<Person> {
    const person = await sessions.personOf(headers);
    if (person !== null) return person;
    throw (await sessions.waitingForSecondFactor(headers)) === null
      ? new Unauthenticated()
      : new SecondFactorRequired();
  }

  return {
    handle,
    sessionOf: sessions.personOf,
    requirePerson,
    assertReauthenticated: async (headers) => assertReauthenticated(await requirePerson(headers)),
    reauthentication,
    async twoFactorOf({ userId, email }) {
      const left = await twoFactor.recoveryCodesLeft(userId);
      return {
        is_on: left !== null,
        recovery_codes_left: left,
        has_password: (await passwordOf(pool, email)) !== null,
      };
    },
    forget: sessions.forget,
    async issueSession(userId, request) {
      const userAgent = request.headers.get('user-agent') ?? '';
      const session = await internalAdapter.createSession(userId, false, { userAgent });
      return [sessions.cookieFor(session.token)];
    },
    hasPassword: async ({ email }) => (await passwordOf(pool, email)) !== null,
    async changePassword(person, change) {
      await changePassword({ pool, limits, passwords: password, postbox, minPasswordLength, now }, person, change);
      // Here at once; other processes hear of the ended sessions.
      sessions.forgetAll();
    },
    emailChanges: createEmailChanges({ pool, limits, postbox, canSendMail, now }),
    devices: createSignedInDevices(pool, now),
    createPerson: (person) => insertPerson(pool, { ...person, hash: password.hash }),
    signInsOf: (userId) => signInsOf(pool, userId),
    mailAccountDeleted: (to) => postbox.post(accountDeletedMail(to)),
    async mailInvitation(invitation) {
      if (!(await limits.mayMail('/invitation', invitation.to))) return false;
      postbox.post(invitationMail(invitation));
      return true;
    },
    async mailWorkspaceDeleted(deletion) {
      if (!(await limits.mayMail('/deletion', deletion.to))) return false;
      postbox.post(workspaceDeletedMail(deletion));
      return true;
    },
    mailSent: postbox.emptied,
    close: sessions.close,
  };
}

/** The code of a refusal in better-auth's own format. */
const codeOf = async (response: Response): Promise<unknown> =>
  z.object({ code: z.string() }).safeParse(await response.clone().json()).data?.code;

/** The name and e-mail address of a session that is none yet stay on the server. */
const secondFactorAnswer = ({ headers }: Response) => {
  const answer = Response.json({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  for (const cookie of headers.getSetCookie()) answer.headers.append('set-cookie', cookie);
  return answer;
};

const howToTrust = 'Set APP_URL to the address under which people open Cuebird.';
