import type { Pool } from 'pg';
import { takeDue } from '#features/calendar-sources/calendar-sources.db.ts';
import { leaseMinutes, type ReadPorts, readSource } from '#features/calendar-sources/read-source.service.ts';
import { mailOwners } from '#features/notices/notices.service.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = Omit<ReadPorts, 'now' | 'notifyOwners'> & {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  clock: Clock;
  log: Log;
  /** The address at which people reach Cuebird. */
  url: string;
  sendMail: ((mail: { to: string; subject: string; text: string }) => Promise<boolean>) | null;
};

export type SourceReader = { stop(): Promise<void> };

/** How often it looks for calendars that are due, and so how late one may be read. */
const lookEveryMs = 30_000;

/** Reads calendars that are due, one after another. Several processes may do so: each calendar is leased to one. */
export function startSourceReader(deps: Deps): SourceReader {
  const { pool, clock, log } = deps;
  const stopped = new AbortController();
  const ports: ReadPorts = { ...deps, now: clock.now, notifyOwners: notifyBy(deps) };
  const done = run();

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await readDue();
      } catch (error) {
        log.warn({ error: String(error) }, 'reading calendars failed; trying again');
      }
      await clock.sleepUntil(clock.now().add({ milliseconds: lookEveryMs }), stopped.signal);
    }
  }

  async function readDue(): Promise<void> {
    while (!stopped.signal.aborted) {
      const now = clock.now();
      const of = await takeDue(pool, { now: now.toString(), until: now.add({ minutes: leaseMinutes }).toString() });
      if (of === null) return;
      // A calendar whose result cannot be stored stays leased for some minutes, and the others are read.
      await readSource(ports, of).catch((error: unknown) =>
        log.warn({ calendar: of.id, error: String(error) }, 'a calendar could not be read'),
      );
    }
  }

  return {
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

function notifyBy({ pool, sendMail, log, url }: Deps): ReadPorts['notifyOwners'] {
  if (sendMail === null) return null;
  return ({ workspaceId, name, reason }) =>
    mailOwners(
      { pool, sendMail, log },
      {
        workspaceId,
        subject: `The calendar ${name} cannot be read`,
        text: [
          'Hello,',
          `Cuebird has not been able to read the calendar ${name} for three days. ${reason}`,
          'What was planned before is still sent, but new, moved and cancelled events are not seen.',
          `To correct its address, or to remove it: ${url.replace(/\/$/, '')}/admin/workspace/${workspaceId}/manage`,
        ].join('\n\n'),
      },
    );
}
