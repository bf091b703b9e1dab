import { timingSafeEqual } from 'node:crypto';
import type { Callback, Network } from '#delivery/adapter.ts';
import { parseJson } from '#delivery/answer.ts';

type About = {
  provider: string;
  config: { callback_token?: string; base_url: string };
  network: Network;
};

/**
 * Where a provider shall report about a message; undefined where it could not get there: to this machine's own name from
 * anywhere but this machine.
 */
export function callbackUrlFor({ provider, config, network }: About): string | undefined {
  if (config.callback_token === undefined) return undefined;
  const url = network.callbackUrl?.(provider, config.callback_token);
  return url === undefined || (isLoopback(url) && !isLoopback(config.base_url)) ? undefined : url;
}

const isLoopback = (url: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');

/** Compares in a time that does not tell where the difference is. */
export function isSame(given: string, due: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(due)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The parameters of a call: of its query for GET, else of its body, as a form or as flat JSON. */
export function parametersOf({ method, url, headers, body }: Callback): URLSearchParams {
  if (method === 'GET') return url.searchParams;
  const text = body.toString('utf8');
  if (!/\bjson\b/i.test(headers.get('content-type') ?? '')) return new URLSearchParams(text);
  const flat = parseJson(text);
  if (typeof flat !== 'object' || flat === null) return new URLSearchParams();
  return new URLSearchParams(Object.entries(flat).map(([name, value]) => [name, String(value)]));
}
