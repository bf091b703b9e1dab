import { parseCookies } from 'better-call';
import { type AuthSecrets, resignToken } from '#features/auth/auth.secrets.ts';
import { AUTH_PATH } from '#features/auth/auth.requests.ts';
import type { Sessions } from '#features/auth/auth.sessions.ts';

type Answer = (request: Request) => Promise<Response>;

/**
 * better-auth knows only the newest secret. A cookie or link that an older one signed is signed anew on its way there, and the browser gets the new
 * cookie: after a rotation each session moves to the newest secret with its next visit.
 */
export function withOlderSecrets(
  answer: Answer,
  { sessions, secrets }: { sessions: Pick<Sessions, 'tokenOfOlderCookie' | 'cookieFor'>; secrets: AuthSecrets },
): Answer {
  return async (given) => {
    const request = await withNewestLink(given, secrets());
    const token = sessions.tokenOfOlderCookie(request.headers);
    if (token === null) return answer(request);
    const cookie = sessions.cookieFor(token);
    const headers = new Headers(request.headers);
    headers.set('cookie', withCookie(headers.get('cookie') ?? '', cookie));
    const response = await answer(new Request(request, { headers }));
    const renewed = new Response(response.body, response);
    if (!setsAnother(response, cookie)) renewed.headers.append('set-cookie', cookie);
    return renewed;
  };
}

async function withNewestLink(request: Request, secrets: ReturnType<AuthSecrets>): Promise<Request> {
  const url = new URL(request.url);
  const token = url.searchParams.get('token');
  if (url.pathname !== `${AUTH_PATH}/verify-email` || token === null || secrets.length === 1) return request;
  url.searchParams.set('token', await resignToken(token, secrets));
  return new Request(url, request);
}

/** A `cookie` header in which one cookie has the value from a `set-cookie` line. */
function withCookie(header: string, line: string): string {
  const [pair = ''] = line.split(';');
  const cookies = parseCookies(header);
  cookies.delete(nameIn(pair));
  return [...[...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`), pair].join('; ');
}

/** Whether the answer signs out, or signs somebody else in. */
const setsAnother = (response: Response, line: string) =>
  response.headers.getSetCookie().some((each) => nameIn(each) === nameIn(line));

const nameIn = (line: string) => line.split('=', 1)[0] ?? '';
