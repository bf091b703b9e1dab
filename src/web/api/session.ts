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

export const signOutKey = ['sign-out'];

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
