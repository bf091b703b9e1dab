import { Forbidden } from '#platform/errors.ts';

/**
 * Refuses a writing request that another site's page has sent with the visitor's cookie. Programs send no Origin; browsers
 * always do on such requests.
 */
export function assertOwnOrigin(request: Request, appUrl: string | undefined): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const origin = request.headers.get('origin');
  if (origin === null) return;
  const own = appUrl === undefined ? new URL(request.url).host : new URL(appUrl).host;
  if (URL.parse(origin)?.host !== own && !(appUrl === undefined && areBothLoopback(origin, request.url))) {
    throw new Forbidden('This request comes from another site');
  }
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The development server proxies from a port of its own. */
const areBothLoopback = (origin: string, url: string) =>
  loopback.test(URL.parse(origin)?.hostname ?? '') && loopback.test(new URL(url).hostname);
