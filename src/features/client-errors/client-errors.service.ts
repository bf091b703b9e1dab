import { randomUUID } from 'node:crypto';
import type { ClientError } from '#contract/client-errors.ts';
import type { Log } from '#platform/log.ts';

/** The most lines in a minute and a process: a version that is broken for everybody must not crowd out other lines. */
const mostLines = 60;

/**
 * Writes what browsers report to the log, where administrators see it.
 * @returns writes one error, and returns the id of its line; null where the minute is full, and it is only counted
 */
export function createClientErrorLog({
  log,
  now,
}: {
  log: Log;
  now: () => Temporal.Instant;
}): (error: ClientError, by: { userId: string }) => string | null {
  let minute = 0;
  let lines = 0;
  let omitted = 0;
  return ({ kind, frames, request_id, ...error }, { userId }) => {
    const current = Math.floor(now().epochMilliseconds / 60_000);
    if (current !== minute) {
      if (omitted > 0) log.warn({ errors: omitted }, 'more errors were reported by browsers than the lines before say');
      [minute, lines, omitted] = [current, 0, 0];
    }
    if (lines >= mostLines) {
      omitted += 1;
      return null;
    }
    lines += 1;
    const id = randomUUID();
    log.warn({ reportId: id, caller: userId, answeredBy: request_id, ...error, frames }, sentences[kind]);
    return id;
  };
}

const sentences: Record<ClientError['kind'], string> = {
  screen: 'a screen broke in a browser',
  script: 'a script failed in a browser',
};
