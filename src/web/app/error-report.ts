import { clientErrorLimits, clientErrorRoutes, reportableMessage } from '#contract/client-errors.ts';
import { webRouteOf } from '#contract/web-routes.ts';
import { ApiError, call } from '#web/api/client.ts';

/** The most reports until the page is loaded again: an error in a loop is known after the first time. */
const mostReports = 10;
const reported = new Map<string, Promise<string | null>>();

/**
 * Reports an error to administrators: its class, the words of the browser, and where in the code it happened. Returns the id by which they
 * find it; null where it is not reported, as nobody is signed in. Never rejects.
 */
export function reportError(error: unknown, kind: 'screen' | 'script'): Promise<string | null> {
  if (!(error instanceof Error)) return Promise.resolve(null);
  // Refusals are in the server's log already.
  if (kind === 'script' && (error instanceof ApiError || error.name === 'AbortError')) return Promise.resolve(null);
  const frames = framesOf(error.stack ?? '');
  const key = [kind, error.name, frames[0]].join(' ');
  const known = reported.get(key);
  if (known !== undefined) return known;
  if (reported.size >= mostReports) return Promise.resolve(null);
  const report = call(clientErrorRoutes.reportClientError, {
    body: {
      kind,
      screen: webRouteOf(window.location.pathname) ?? 'unknown',
      name: /^[A-Za-z]{1,40}$/.exec(error.name)?.[0] ?? 'Error',
      message: reportableMessage(error.message) ?? undefined,
      frames,
      request_id: (error instanceof ApiError ? error.requestId : null) ?? undefined,
    },
  }).then(
    ({ id }) => id,
    () => null,
  );
  reported.set(key, report);
  return report;
}

/** The lines of a stack that name our own files. Its first line, the message, may repeat what somebody has typed. */
export function framesOf(stack: string, { origin }: { origin: string } = window.location): string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const at = line.indexOf(`${origin}/`);
      if (at < 0 || line.length > 1_000) return [];
      const position = /^\/[\w./-]{1,120}:\d{1,7}:\d{1,7}/.exec(line.slice(at + origin.length))?.[0];
      if (position === undefined) return [];
      const caller = /^(?:at )?(?:async )?([\w$.<>]{1,80})(?= ?[(@]$)/.exec(line.slice(0, at).trimStart())?.[1];
      return [caller === undefined ? position : `${caller} ${position}`];
    })
    .slice(0, clientErrorLimits.frames);
}
