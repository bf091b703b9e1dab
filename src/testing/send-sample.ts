import { routes, type RouteName } from '#contract/routes.ts';
import { assertDocumented } from '#testing/documented.ts';
import { sampleRequest, type Tokens } from '#testing/sample-requests.ts';
import type { Things } from '#testing/sample-rows.ts';

export type Answered = { status: number; text: string /** All that the request has said. */; request: string };

const noTokens: Tokens = { adminSetup: 'none', demo: 'none', accountMail: 'none' };

/** Sends the sample of a route. The answer is read whole, but for a stream, which would not end. */
export async function sendSample(
  url: string,
  {
    name,
    things,
    tokens = noTokens,
    headers,
  }: { name: RouteName; things: Things; tokens?: Tokens; headers: Record<string, string> },
): Promise<Answered> {
  const { method, path, body } = sampleRequest(name, things, tokens);
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
    body: sent,
  });
  const request = `${path} ${sent ?? ''} ${JSON.stringify(headers)}`;
  if (routes[name].answer === 'stream' && response.ok) {
    await response.body?.cancel();
    return { status: response.status, text: '', request };
  }
  const text = await response.text();
  if (response.headers.get('content-type')?.includes('json') === true)
    assertDocumented(
      { method, path: new URL(path, url).pathname },
      { status: response.status, json: JSON.parse(text) },
    );
  return { status: response.status, text: `${response.headers.get('location') ?? ''}${text}`, request };
}

/** The fields of `Things` that the sample of a route uses. */
export function thingsUsedBy(name: RouteName, things: Things): (keyof Things)[] {
  const used = new Set<string>();
  const watched = new Proxy(things, {
    get(target, key) {
      used.add(String(key));
      return Reflect.get(target, key);
    },
  });
  sampleRequest(name, watched, noTokens);
  return (Object.keys(things) as (keyof Things)[]).filter((key) => used.has(key));
}
