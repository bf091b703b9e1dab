import { ApiError } from '#web/api/client.ts';
import { messageOf } from '#web/ui/message-of.ts';

export const texts = {
  fillAllFields: 'Please fill in all fields',
  alreadyRegistered: 'An account with this email already exists. Please try signing in instead.',
  wrongCredentials: 'Invalid email or password. Please check your credentials and try again.',
  invalidEmail: 'Please enter an email address such as you@company.com',
  notVerified: 'Please check your email and click the verification link before signing in.',
  suspended: 'This account is suspended. Ask an administrator of this installation to lift the suspension.',
  googleNotConfigured: 'Google sign-in is not properly configured. Please try email/password sign-in instead.',
} as const;

export const tooShortText = (minLength: number): string => `Password must be at least ${minLength} characters long`;

/** The server's codes that have a text of their own; other errors show the server's message. */
const textOfCode: Record<string, string> = {
  USER_ALREADY_EXISTS: texts.alreadyRegistered,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: texts.alreadyRegistered,
  INVALID_EMAIL_OR_PASSWORD: texts.wrongCredentials,
  INVALID_EMAIL: texts.invalidEmail,
  EMAIL_NOT_VERIFIED: texts.notVerified,
};

/** The text of a failed sign-in or sign-up. */
export function authText(error: unknown): string {
  const known = error instanceof ApiError ? textOfCode[error.code] : undefined;
  return known ?? messageOf(error);
}

/** The field that a refused sign-in or sign-up is about; null where no field alone is wrong. */
export function refusedField(error: unknown): 'email' | 'password' | null {
  if (!(error instanceof ApiError)) return null;
  if (['PASSWORD_TOO_SHORT', 'PASSWORD_TOO_COMMON', 'PASSWORD_TOO_LONG'].includes(error.code)) return 'password';
  return error.code !== 'INVALID_EMAIL_OR_PASSWORD' && Object.hasOwn(textOfCode, error.code) ? 'email' : null;
}

/** Why a link, from Google or from a mail, has led back to this screen. */
export const returnedError = (code: string): { title: string; text: string } =>
  code === 'ACCOUNT_SUSPENDED'
    ? { title: 'Sign in failed', text: texts.suspended }
    : { title: 'Google Sign-in Error', text: googleText(code) };

const unconfiguredGoogle = ['PROVIDER_NOT_FOUND', 'oauth_provider_not_found', 'invalid_client'];

/** The text of a failed Google sign-in, from the server's code or the one in the URL. */
export function googleText(error: unknown): string {
  const code = error instanceof ApiError ? error.code : error;
  const message = messageOf(error, 'Google sign-in did not complete. Please try again.');
  const isUnconfigured = typeof code === 'string' && unconfiguredGoogle.includes(code);
  return isUnconfigured || message.includes('OAuth') ? texts.googleNotConfigured : message;
}
