import type { MiddlewareHandler } from 'hono';

/** The security headers of every answer. `appUrl` is the address that people use, if it is set. */
export const secureHeaders =
  (appUrl: string | undefined): MiddlewareHandler =>
  async (c, next) => {
    await next();
    const { headers } = c.res;
    // Only for HTTPS: browsers ignore it over plain HTTP, and a local installation has no certificate.
    if (appUrl?.startsWith('https:') === true) headers.set('strict-transport-security', 'max-age=31536000');
    headers.set('cross-origin-opener-policy', 'same-origin');
    if (!headers.has('cross-origin-resource-policy')) headers.set('cross-origin-resource-policy', 'same-origin');
    headers.set('permissions-policy', permissions);
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', policy);
    if (!headers.has('x-frame-options')) headers.set('x-frame-options', 'DENY');
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', 'strict-origin-when-cross-origin');
  };

const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ');

/** Browser features that no screen uses, and no script may. */
const permissions = ['accelerometer', 'bluetooth', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid']
  .concat(['magnetometer', 'microphone', 'midi', 'payment', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'])
  .map((name) => `${name}=()`)
  .join(', ');
