import { Forbidden } from '#platform/errors.ts';
import { isFromAnotherSite } from '#platform/fetch-site.ts';

/**
 * Refuses a writing request that another site's page has sent with the visitor's cookie. Browsers send an Origin with
 * it, or at least `Sec-Fetch-Site`; programs send neither. A GET changes nothing here, except for the links of mails
 * and of the terminal, which have to work from anywhere.
 */
export function assertOwnOrigin(request: Request, appUrl: string | undefined): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const origin = request.headers.get('origin');
  if (origin === null) {
    if (isFromAnotherSite(request)) throw new Forbidden('This request comes from another site');
    return;
  }
  const isOwn =
    appUrl === undefined ? isOfThisHost(origin, request.url) : URL.parse(origin)?.origin === new URL(appUrl).origin;
  if (!isOwn) throw new Forbidden('This request comes from another site');
}

/** Without APP_URL the scheme is not known: a proxy in front may speak https. */
const isOfThisHost = (origin: string, url: string) =>
  (/^https?:/.test(origin) && URL.parse(origin)?.host === new URL(url).host) || areBothLoopback(origin, url);

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** In development, requests come through a proxy on another port of this machine. */
const areBothLoopback = (origin: string, url: string) =>
  loopback.test(URL.parse(origin)?.hostname ?? '') && loopback.test(new URL(url).hostname);
