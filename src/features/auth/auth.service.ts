import { betterAuth } from 'better-auth/minimal';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { defaultSettings, type InstallationSettings } from '#contract/admin-settings.ts';
import type { TwoFactorState } from '#contract/two-factor.ts';
import { createActRecorder } from '#features/auth/auth.acts.ts';
import { createSignInHandler } from '#features/auth/auth.handler.ts';
import { type Reauthentication, createReauthentication } from '#features/auth/reauthentication.ts';
import { createSignInLimits, type SignInLimits } from '#features/auth/auth.limits.ts';
import {
  accountDeletedMail,
  type AccountMail,
  createPostbox,
  workspaceDeletedMail,
  invitationMail,
} from '#features/auth/auth.mail.ts';
import { authOptions, type AuthSettings } from '#features/auth/auth.options.ts';
import { createSignedInDevices, type SignedInDevices } from '#features/auth/devices.ts';
import { createEmailChanges, type EmailChanges } from '#features/auth/email-change.ts';
import { type Passwords, passwords as storedPasswords } from '#features/auth/passwords.ts';
import { changePassword, type PasswordChange } from '#features/auth/password-change.ts';
import { originsOf } from '#features/auth/auth.origins.ts';
import { insertPerson, type NewPerson, passwordOf, type SignIns, signInsOf } from '#features/auth/auth.people.ts';
import type { AuthSecrets } from '#features/auth/auth.secrets.ts';
import { withOlderSecrets } from '#features/auth/older-secrets.ts';
import { createSessions, type Person } from '#features/auth/auth.sessions.ts';
import { secondFactorDueAt } from '#features/auth/administrator-factor.service.ts';
import { createTwoFactor } from '#features/auth/two-factor.ts';
import { createTwoFactorRequests } from '#features/auth/two-factor.requests.ts';
import { SecondFactorRequired, Unauthenticated } from '#platform/errors.ts';
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
  /** As `sessionOf`, but throws Unauthenticated, or SecondFactorRequired where only the code is missing. */
  requirePerson(headers: Headers): Promise<Person>;
  /** Throws ReauthenticationRequired when the session's last proof of who uses it is older than ten minutes. */
  assertReauthenticated(headers: Headers): Promise<void>;
  reauthentication: Omit<Reauthentication, 'assertReauthenticated'>;
  twoFactorOf(person: Person): Promise<TwoFactorState>;
  /** False for people who sign in with Google only. */
  hasPassword(person: Person): Promise<boolean>;
  /**
   * Replaces the password, ends every other session of the person, and mails them. Throws Invalid for a wrong current password or a new one that is
   * too short, Unprocessable where there is none to change, Forbidden for the demo account, and RateLimited.
   */
  changePassword(person: Person, change: PasswordChange): Promise<void>;
  emailChanges: EmailChanges;
  devices: SignedInDevices;
  /** Creates a person with a confirmed address; no mail is sent. Throws Conflict when the address is taken. */
  createPerson(person: NewPerson): Promise<{ id: string }>;
  /** How the person signs in, and where they are signed in. */
  signInsOf(userId: string): Promise<SignIns>;
  /** Queues the mail that tells somebody that their account was deleted. */
  mailAccountDeleted(to: string): void;
  /** Queues the mail of an invitation. False where its mailbox has got too many mails. */
  mailInvitation(invitation: Parameters<typeof invitationMail>[0]): Promise<boolean>;
  /** Queues the mail that tells an owner of a deleted workspace. False where the mailbox has got too many mails. */
  mailWorkspaceDeleted(deletion: Parameters<typeof workspaceDeletedMail>[0]): Promise<boolean>;
  /** Resolves once all account mail was sent; awaited before the database closes. */
  mailSent(): Promise<void>;
  /** Stops listening for sessions that end in other processes. */
  close(): void;
};

export type AuthDeps = {
  /** Connected as the role cuebird_auth; returns instants as Dates. */
  pool: pg.Pool;
  /** Announces sessions that end in other processes; while it does not listen, no session is cached. */
  pubsub: Pick<PubSub, 'subscribe' | 'isListening'>;
  /** Signs cookies and links, and seals second factors. */
  secret: string;
  /** The previous secrets, which are accepted too. None by default. */
  olderSecrets?: () => readonly string[];
  /** The address that people use; null trusts loopback addresses on any port. */
  appUrl: string | null;
  emailVerification: boolean;
  /** The least characters of a password; 6 by default. */
  minPasswordLength?: number;
  google: { clientId: string; clientSecret: string } | null;
  sendAccountMail: (mail: AccountMail) => Promise<void>;
  /** True by default. Without mail, people without a password prove who they are by signing in again. */
  canSendMail?: boolean;
  log?: Pick<Log, 'error'>;
  /** The installation's settings; by default those of a new one. */
  settings?: () => InstallationSettings;
  /** Addresses whose confirmation makes an administrator; none by default. */
  adminEmails?: readonly string[];
  /** Off only where one address signs up hundreds of people, as tests do. */
  rateLimit?: boolean;
  /** How passwords are hashed: Argon2id by default, another way only in tests. */
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
  const { minPasswordLength = 6, canSendMail = true, settings = () => defaultSettings } = deps;
  const { passwords = storedPasswords } = deps;
  const origins = originsOf(deps.appUrl);
  const postbox = createPostbox(deps.sendAccountMail, log);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const limits = rateLimit ? createSignInLimits(db, { now }) : unlimited;
  const record = createActRecorder(pool, { now });
  let requestReset: AuthSettings['requestReset'] = async () => {};
  const auth = betterAuth(
    authOptions({
      ...deps,
      origins,
      postbox,
      log,
      limits,
      record,
      settings,
      minPasswordLength,
      passwords,
      adminEmails: deps.adminEmails ?? [],
      requestReset: (email, request) => requestReset(email, request),
    }),
  );
  requestReset = async (email, request) =>
    void (await auth.api.requestPasswordReset({ body: { email }, ...(request && { request }) }));
  const { internalAdapter, authCookies } = await auth.$context;
  const secrets: AuthSecrets = () => [deps.secret, ...(deps.olderSecrets?.() ?? [])];
  const { emailVerification } = deps;
  const cookie = { ...authCookies.sessionToken, secrets };
  const sessions = createSessions(pool, { cookie, now, pubsub, emailVerification, settings });
  const twoFactor = createTwoFactor({ pool, limits, postbox, secrets, now });
  const { assertReauthenticated, ...reauthentication } = createReauthentication({
    pool,
    limits,
    postbox,
    twoFactor,
    verify: passwords.verify,
    secrets,
    canSendMail,
    now,
    record,
  });
  const betterAuthHandler = withOlderSecrets(auth.handler, { sessions, secrets });
  const answerTwoFactor = createTwoFactorRequests({
    pool,
    limits,
    postbox,
    sessions,
    twoFactor,
    now,
    record,
    reauthentication: { ...reauthentication, assertReauthenticated },
    plugin: betterAuthHandler,
  });

  const handle = createSignInHandler({
    betterAuth: betterAuthHandler,
    answerTwoFactor,
    pool,
    appUrl: deps.appUrl,
    origins,
    minPasswordLength,
    limits,
    sessions,
    postbox,
    record,
    now,
  });

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
    async twoFactorOf(person) {
      const { userId, email } = person;
      const left = await twoFactor.recoveryCodesLeft(userId);
      return {
        is_on: left !== null,
        recovery_codes_left: left,
        required_at: secondFactorDueAt(person, settings())?.toString() ?? null,
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
      await changePassword({ pool, limits, passwords, postbox, minPasswordLength, now }, person, change);
      // Ends them in this process at once; other processes are notified.
      sessions.forgetAll();
    },
    emailChanges: createEmailChanges({ pool, limits, postbox, canSendMail, now }),
    devices: createSignedInDevices(pool, now),
    createPerson: (person) => insertPerson(pool, { ...person, hash: passwords.hash }),
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
