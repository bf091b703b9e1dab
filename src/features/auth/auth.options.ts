import type { BetterAuthOptions } from 'better-auth';
import type pg from 'pg';
import { alreadyRegistered, createAuthAdapter } from '#features/auth/auth.adapter.ts';
import { type Postbox, resetMail, verificationMail } from '#features/auth/auth.mail.ts';
import type { Origins } from '#features/auth/auth.origins.ts';
import { AUTH_PATH, CLIENT_ADDRESS_HEADER } from '#features/auth/auth.requests.ts';
import type { Log } from '#platform/log.ts';

const days = (count: number) => count * 24 * 60 * 60;

export type AuthSettings = {
  pool: pg.Pool;
  secret: string;
  origins: Origins;
  emailVerification: boolean;
  google: { clientId: string; clientSecret: string } | null;
  postbox: Postbox;
  rateLimit: boolean;
  log: Pick<Log, 'error'>;
};

/** better-auth, on our tables and with our rules. */
export function authOptions(settings: AuthSettings): BetterAuthOptions {
  const { origins, emailVerification, postbox, google } = settings;
  return {
    appName: 'Cuebird',
    basePath: AUTH_PATH,
    baseURL: origins.baseURL,
    trustedOrigins: origins.trustedOrigins,
    secret: settings.secret,
    database: createAuthAdapter(settings.pool),
    telemetry: { enabled: false },
    logger: { log: (level, message, ...details) => level === 'error' && settings.log.error({ details }, message) },
    onAPIError: { errorURL: '/auth' },
    ...tables,

    emailAndPassword: {
      enabled: true,
      minPasswordLength: 6,
      maxPasswordLength: 200,
      requireEmailVerification: emailVerification,
      // Asked for when somebody signs up again: the screen has a text for it, so it is said instead of pretended.
      customSyntheticUser() {
        throw alreadyRegistered();
      },
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 60 * 60,
      sendResetPassword: async ({ user, url }) => postbox.post(resetMail({ to: user.email, link: url })),
    },
    emailVerification: {
      sendOnSignUp: emailVerification,
      sendOnSignIn: emailVerification,
      autoSignInAfterVerification: true,
      expiresIn: days(1),
      async sendVerificationEmail({ user, url }) {
        const link = new URL(url);
        link.searchParams.set('callbackURL', '/dashboard');
        postbox.post(verificationMail({ to: user.email, link: link.href }));
      },
    },
    socialProviders: google === null ? {} : { google },
    session: { ...tables.session, expiresIn: days(30), updateAge: days(1) },

    databaseHooks: {
      user: { create: { before: async (user) => ({ data: { ...user, name: presentable(user.name) } }) } },
      // Google is asked once, who it is; its tokens would only be there to be stolen.
      account: {
        create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
    },
    rateLimit: { enabled: settings.rateLimit, storage: 'memory', customRules: limits },
    advanced: {
      cookiePrefix: 'cuebird',
      useSecureCookies: origins.isSecure,
      // Said outright: left alone, this check is off whenever NODE_ENV is "test".
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: false },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
  };
}

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' };

const tables = {
  user: {
    modelName: 'profiles',
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

/** A name from Google keeps to what our own form allows. */
const presentable = (name: string) => name.replaceAll('\u0000', '').trim().slice(0, 200);

/** Per address and minute. People behind one unknown address share a bucket, which must hold more. */
const perMinute = (max: number) => (request: Request) => ({
  window: 60,
  max: request.headers.has(CLIENT_ADDRESS_HEADER) ? max : max * 20,
});

const limits = {
  '/sign-in/email': perMinute(10),
  '/sign-up/email': perMinute(10),
  '/sign-in/social': perMinute(20),
  '/send-verification-email': perMinute(3),
  '/request-password-reset': perMinute(3),
  '/reset-password': perMinute(10),
  '/get-session': false as const,
};
