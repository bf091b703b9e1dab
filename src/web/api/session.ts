import { queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { ApiError, jsonOf, reach } from '#web/api/client.ts';

const Session = z
  .object({
    session: z.object({ expiresAt: z.coerce.date() }),
    user: z.object({ id: z.string(), name: z.string(), email: z.string(), image: z.string().nullish() }),
  })
  .nullable();
export type Session = NonNullable<z.output<typeof Session>>;
export type SessionUser = Session['user'];

/** Who is signed in, or null. */
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

/** Creates an account; `verified` tells whether it is signed in at once or must first follow the link in its mail. */
export async function signUp(body: SignUp): Promise<{ verified: boolean }> {
  const { token } = await ask('post', '/api/auth/sign-up/email', {
    body: { ...body, callbackURL: '/dashboard' },
    answer: SignedIn,
  });
  return { verified: Boolean(token) };
}

/** The address of Google's consent page, which leads back to the dashboard, or to /auth?error=… */
export async function googleSignInUrl(): Promise<string> {
  const body = { provider: 'google', callbackURL: '/dashboard', errorCallbackURL: '/auth' };
  const { url } = await ask('post', '/api/auth/sign-in/social', { body, answer: z.object({ url: z.url() }) });
  return url;
}

export const signOut = () => ask('post', '/api/auth/sign-out', { body: {}, answer: z.unknown() });

const AuthRefusal = z.object({ code: z.string().default('unknown'), message: z.string() });

/** The authentication endpoints answer refusals as `{code, message}`, unlike the rest of the API. */
async function ask<A extends z.ZodType>(
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
  throw new ApiError({
    status: response.status,
    ...(refusal.data ?? {
      code: 'internal',
      message: `Cuebird could not answer (HTTP ${response.status}). Try again.`,
    }),
  });
}
