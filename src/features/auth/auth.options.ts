import type { BetterAuthOptions } from 'better-auth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type pg from 'pg';
import type { InstallationSettings } from '#contract/admin-settings.ts';
import type { AccountAction } from '#contract/acts.ts';
import { forgotPasswordPage, resetPasswordPage, verifyEmailPage } from '#features/auth/account-pages.ts';
import { alreadyRegistered, createAuthAdapter } from '#features/auth/auth.adapter.ts';
import {
  administratorMail,
  passwordChangedMail,
  type Postbox,
  resetMail,
  verificationMail,
} from '#features/auth/auth.mail.ts';
import type { RecordAct } from '#features/auth/auth.acts.ts';
import { isDemo, verifyEmail } from '#features/auth/auth.people.ts';
import type { Origins } from '#features/auth/auth.origins.ts';
import { AUTH_PATH, CLIENT_ADDRESS_HEADER } from '#features/auth/auth.requests.ts';
import type { SignInLimits } from '#features/auth/auth.limits.ts';
import { idleDays, sessionDays } from '#features/auth/session-timeout.service.ts';
import { versionOf } from '#features/auth/auth.secrets.ts';
import type { Passwords } from '#features/auth/passwords.ts';
import { newRecoveryCodes } from '#features/auth/recovery-codes.ts';
import type { Log } from '#platform/log.ts';

const days = (count: number) => count * 24 * 60 * 60;

export type AuthSettings = {
  pool: pg.Pool;
  secret: string;
  origins: Origins;
  emailVerification: boolean;
  minPasswordLength: number;
  google: { clientId: string; clientSecret: string } | null;
  postbox: Postbox;
  limits: SignInLimits;
  record: RecordAct;
  log: Pick<Log, 'error'>;
  settings: () => Pick<InstallationSettings, 'sessionTimeout'>;
  passwords: Passwords;
  /** Addresses whose confirmation makes an administrator. */
  adminEmails: readonly string[];
  /** Mails a link to set a password. */
  requestReset: (email: string, request?: Request) => Promise<void>;
};

/** better-auth, configured for Cuebird's tables and rules. */
export function authOptions(settings: AuthSettings): BetterAuthOptions {
  const { origins, emailVerification, postbox, google, limits, record, pool, adminEmails } = settings;
  const originOf = (request?: Request) =>
    typeof origins.baseURL === 'string' ? origins.baseURL : new URL(request?.url ?? '').origin;
  const recordOwn = ({ userId, ...act }: { userId: string; action: AccountAction; clientAddress: string | null }) =>
    record({ account: { userId }, isByOwner: true, ...act });
  return {
    appName: 'Cuebird',
    basePath: AUTH_PATH,
    baseURL: origins.baseURL,
    trustedOrigins: origins.trustedOrigins,
    // Sealed values name their secret, so that two-factor.ts can also open what an older one has sealed.
    secrets: [{ version: versionOf(settings.secret), value: settings.secret }],
    database: createAuthAdapter(settings.pool, {
      onSuspended: ({ userId, clientAddress }) =>
        record({
          account: { userId },
          isByOwner: false,
          action: 'sign_in.failed',
          details: { reason: 'the account is suspended' },
          clientAddress,
        }),
    }),
    telemetry: { enabled: false },
    logger: { log: (level, message, ...details) => level === 'error' && settings.log.error({ details }, message) },
    onAPIError: { errorURL: '/auth' },
    ...tables,

    emailAndPassword: {
      enabled: true,
      minPasswordLength: settings.minPasswordLength,
      maxPasswordLength: 200,
      password: settings.passwords,
      requireEmailVerification: emailVerification,
      // Sign-up with an existing address is refused openly: the specification has a text for it.
      customSyntheticUser() {
        throw alreadyRegistered();
      },
      // The database ends sessions and other links when the password changes.
      async onPasswordReset({ user }, request) {
        const clientAddress = addressOf(request);
        await verifyEmail(pool, user.id);
        postbox.post(passwordChangedMail({ to: user.email, resetLink: forgotPasswordPage(originOf(request)) }));
        await limits.remember({ email: user.email, clientAddress });
        await recordOwn({ userId: user.id, action: 'account.password_reset', clientAddress });
      },
      resetPasswordTokenExpiresIn: 60 * 60,
      async sendResetPassword({ user, token }, request) {
        const link = resetPasswordPage(originOf(request), token);
        const isFirst = adminEmails.includes(user.email) && !user.emailVerified;
        const mail = async () =>
          (await isDemo(pool, user.id)) ? null : (isFirst ? administratorMail : resetMail)({ to: user.email, link });
        postbox.post(mail());
      },
    },
    emailVerification: {
      sendOnSignUp: emailVerification,
      sendOnSignIn: emailVerification,
      autoSignInAfterVerification: true,
      expiresIn: days(1),
      afterEmailVerification: ({ id }, request) =>
        recordOwn({ userId: id, action: 'account.email_confirmed', clientAddress: addressOf(request) }),
      async sendVerificationEmail({ user, token }, request) {
        // Requests for a mail are counted already; a refused sign-in sends one too, and is counted here.
        const path = request === undefined ? '' : new URL(request.url).pathname.slice(AUTH_PATH.length);
        if (path === '/sign-in/email' && !(await limits.mayMail(path, user.email))) return;
        // Before an administrator's address is confirmed a new password is set: whoever signed up with it may be somebody else.
        if (adminEmails.includes(user.email)) return settings.requestReset(user.email, request);
        const link = verifyEmailPage(originOf(request), token);
        postbox.post(verificationMail({ to: user.email, link }));
      },
    },
    socialProviders: google === null ? {} : { google },
    plugins: [twoFactorPlugin()],
    // The lifetime of the cookie; sessions are renewed by auth.sessions.ts.
    session: { ...tables.session, expiresIn: days(sessionDays.absolute), disableSessionRefresh: true },

    databaseHooks: {
      // Without Google's picture, which browsers would load from Google, and so tell it who opens what.
      user: {
        create: {
          before: async (user) => ({ data: { ...user, name: presentable(user.name), image: null } }),
          after: ({ id }, context) =>
            recordOwn({ userId: id, action: 'account.created', clientAddress: addressOf(context?.request) }),
        },
      },
      session: {
        create: {
          before: async (session) => ({
            data: { ...session, expiresAt: new Date(Date.now() + days(idleDays(settings.settings())) * 1_000) },
          }),
        },
      },
      // Google is used only to identify the person; its tokens are not stored.
      account: {
        create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
    },
    // Cuebird's own limits apply: see auth.limits.ts.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'cuebird',
      useSecureCookies: origins.isSecure,
      // Set explicitly: by default this check is off whenever NODE_ENV is "test".
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: false },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
  };
}

const addressOf = (request?: Request): string | null => request?.headers.get(CLIENT_ADDRESS_HEADER) ?? null;

/**
 * The plugin makes and seals the secret and the recovery codes. Codes are checked by two-factor.ts, so that each counts once. The plugin's hook is
 * left out: it covers sign-in by password only, where `auth.sessions.ts` covers every session.
 */
function twoFactorPlugin() {
  const { hooks: _, ...plugin } = twoFactor({
    allowPasswordless: true,
    backupCodeOptions: { customBackupCodesGenerate: newRecoveryCodes },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'auth_two_factors',
        fields: {
          userId: 'user_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
  return plugin;
}

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' };

const tables = {
  user: {
    modelName: 'profiles',
    // The timezone of new reminders, which the form gets with the session. Sign-up does not set it.
    additionalFields: { timeZone: { type: 'string' as const, required: false, input: false, fieldName: 'time_zone' } },
    fields: { name: 'full_name', image: 'avatar_url', emailVerified: 'email_verified', ...timestamps },
  },
  session: {
    modelName: 'auth_sessions',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...timestamps,
    },
  },
  account: {
    modelName: 'auth_accounts',
    fields: {
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...timestamps,
    },
  },
  verification: {
    modelName: 'auth_verifications',
    fields: { expiresAt: 'expires_at', ...timestamps },
    storeIdentifier: 'hashed' as const,
  },
};

const noTokens = { accessToken: null, refreshToken: null, idToken: null };

/** A name from Google is cut to the limits of the sign-up form. */
const presentable = (name: string) => name.replaceAll('\u0000', '').trim().slice(0, 200);
