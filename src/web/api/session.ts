import { queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { ApiError, withReauthentication, jsonOf, reach, refusalOf } from '#web/api/client.ts';

const Session = z
  .object({
    session: z.object({ expiresAt: z.coerce.date() }),
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      image: z.string().nullish(),
      timeZone: z.string().nullish(),
    }),
  })
  .nullable();
export type Session = NonNullable<z.output<typeof Session>>;
export type SessionUser = Session['user'];

/** The signed-in session, or null. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => ask('get', '/api/auth/get-session', { answer: Session, signal }),
  staleTime: 60_000,
});

/** The signed-in session: undefined while unknown, null when there is none. */
export const useSession = (): Session | null | undefined => useQuery(sessionQuery).data;

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

/** The URL of Google's consent page, which returns to the dashboard, or to /auth?error=… */
export async function googleSignInUrl(): Promise<string> {
  const body = { provider: 'google', callbackURL: '/dashboard', errorCallbackURL: '/auth' };
  const { url } = await ask('post', '/api/auth/sign-in/social', { body, answer: z.object({ url: z.url() }) });
  return url;
}

/** Mails a link by which a new password is set. The answer does not tell whether there is such an account. */
export const requestReset = (email: string) =>
  ask('post', '/api/auth/request-password-reset', { body: { email }, answer: z.unknown() });

/** Whose password the link sets. Throws an ApiError with the code INVALID_TOKEN for one that no longer works. */
export const checkResetLink = (token: string, signal: AbortSignal) =>
  ask('post', '/api/auth/check-reset-link', { body: { token }, answer: z.object({ email: z.string() }), signal });

export const resetPassword = (body: { newPassword: string; token: string }) =>
  ask('post', '/api/auth/reset-password', { body, answer: z.unknown() });

/** Confirms the address of a sign-up, which also signs in. */
export const verifyEmail = (token: string) =>
  ask('post', '/api/auth/verify-email', { body: { token }, answer: z.unknown() });

/** Mails another link, where the address has an account that waits for it. */
export const requestVerification = (email: string) =>
  ask('post', '/api/auth/send-verification-email', { body: { email }, answer: z.unknown() });

export const signOut = () => ask('post', '/api/auth/sign-out', { body: {}, answer: z.unknown() });

const AuthRefusal = z.object({ code: z.string().default('unknown'), message: z.string() });

/** Most errors of the authentication endpoints are `{code, message}`; rate limits use the API's own error shape. */
export const ask = <A extends z.ZodType>(
  method: 'get' | 'post',
  path: string,
  asked: { body?: unknown; answer: A; signal?: AbortSignal },
): Promise<z.output<A>> => withReauthentication(() => send(method, path, asked));

async function send<A extends z.ZodType>(
  method: 'get' | 'post',
  path: string,
  { body, answer, signal }: { body?: unknown; answer: A; signal?: AbortSignal },
): Promise<z.output<A>> {
  const response = await reach(path, {
    method: method.toUpperCase(),
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  const json = await jsonOf(response);
  if (response.ok) return answer.parse(json);
  const refusal = AuthRefusal.safeParse(json);
  if (!refusal.success) throw refusalOf(response, json);
  throw new ApiError({ status: response.status, ...refusal.data });
}
