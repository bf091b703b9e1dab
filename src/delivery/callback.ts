import type { Callback, Network } from '#delivery/adapter.ts';
import { parseJson } from '#delivery/answer.ts';

type About = {
  provider: string;
  config: { callback_token?: string; base_url: string };
  network: Network;
};

/**
 * The callback address for a message; undefined when the provider could not reach it, because it is a loopback address
 * and the provider is not local.
 */
export function callbackUrlFor({ provider, config, network }: About): string | undefined {
  if (config.callback_token === undefined) return undefined;
  const url = network.callbackUrl?.(provider, config.callback_token);
  return url === undefined || (isLoopback(url) && !isLoopback(config.base_url)) ? undefined : url;
}

const isLoopback = (url: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');

/** Parses a provider's instant, as epoch seconds or as ISO text with its zone; null for anything else. */
export function instantIn(value: unknown): Temporal.Instant | null {
  const isSeconds = typeof value === 'number' || (typeof value === 'string' && /^\d{1,12}$/.test(value));
  try {
    if (isSeconds) return Temporal.Instant.fromEpochMilliseconds(Math.floor(Number(value)) * 1000);
    return typeof value === 'string' ? Temporal.Instant.from(value) : null;
  } catch {
    return null;
  }
}

/** The most of a body with parameters, which are read before their signature is checked. Providers send a few dozen in a few KB. */
const mostOfParameters = { bytes: 64 * 1024, count: 200 };

/** The parameters of a callback: the query of a GET, else the body, as a form or as flat JSON. None where there are more than any provider sends. */
export function parametersOf(callback: Callback): URLSearchParams {
  if (callback.body.length > mostOfParameters.bytes) return new URLSearchParams();
  const parameters = allParametersOf(callback);
  return parameters.size > mostOfParameters.count ? new URLSearchParams() : parameters;
}

function allParametersOf({ method, url, headers, body }: Callback): URLSearchParams {
  if (method === 'GET') return url.searchParams;
  const text = body.toString('utf8');
  if (!/\bjson\b/i.test(headers.get('content-type') ?? '')) return new URLSearchParams(text);
  const flat = parseJson(text);
  if (typeof flat !== 'object' || flat === null) return new URLSearchParams();
  return new URLSearchParams(Object.entries(flat).map(([name, value]) => [name, String(value)]));
}
