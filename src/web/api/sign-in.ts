import { z } from 'zod';
import { ask } from '#web/api/session.ts';

const SignedIn = z.object({ token: z.string().nullish() });

export type SignIn = { email: string; password: string };
export const signIn = (body: SignIn) => ask('post', '/api/auth/sign-in/email', { body, answer: SignedIn });

export type SignUp = { name: string; email: string; password: string };

/** Creates an account. `verified` is false when the user must first follow the link in the verification mail. */
export async function signUp(body: SignUp): Promise<{ verified: boolean }> {
  const { token } = await ask('post', '/api/auth/sign-up/email', {
    body: { ...body, callbackURL: '/dashboard' },
    answer: SignedIn,
  });
  return { verified: Boolean(token) };
}

/** The URL of Google's consent page, which returns to the dashboard by the page that asks administrators for a second factor, or to /auth?error=… */
export async function googleSignInUrl(): Promise<string> {
  const body = { provider: 'google', callbackURL: '/auth/two-factor', errorCallbackURL: '/auth' };
  const { url } = await ask('post', '/api/auth/sign-in/social', { body, answer: z.object({ url: z.url() }) });
  return url;
}

/** Has a link mailed to set a new password. The answer does not tell whether the account exists. */
export const requestReset = (email: string) =>
  ask('post', '/api/auth/request-password-reset', { body: { email }, answer: z.unknown() });

/** The address of the account that a reset link belongs to. Throws an ApiError with the code INVALID_TOKEN for a link that does not work. */
export const checkResetLink = (token: string, signal: AbortSignal) =>
  ask('post', '/api/auth/check-reset-link', { body: { token }, answer: z.object({ email: z.string() }), signal });

export const resetPassword = (body: { newPassword: string; token: string }) =>
  ask('post', '/api/auth/reset-password', { body, answer: z.unknown() });

/** Confirms the address of a sign-up, which also signs in. */
export const verifyEmail = (token: string) =>
  ask('post', '/api/auth/verify-email', { body: { token }, answer: z.unknown() });

/** Has another verification link mailed, if the address has an account that needs one. */
export const requestVerification = (email: string) =>
  ask('post', '/api/auth/send-verification-email', { body: { email }, answer: z.unknown() });
