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

/** Calendars that are read at a time, one of a workspace, so that a server that drips keeps others waiting for seconds only. */
const mostReadings = 8;
/** Of these, calendars whose last reading failed, which may well hang again. */
const mostFailing = 4;
/** Of one owner's workspaces. */
const mostOfOwner = 2;

/** What is being read, by workspace. */
type Readings = Map<string, { owners: readonly string[]; isFailing: boolean; done: Promise<void> }>;

/** Reads calendars that are due, several at a time. Several processes may do so: each calendar is leased to one. */
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

  /** Ends when nothing is due and nothing is read any more. */
  async function readDue(): Promise<void> {
    const readings: Readings = new Map();
    while (!stopped.signal.aborted) {
      const reading = [...readings.values()].map(({ done: ended }) => ended);
      const of = reading.length === mostReadings ? null : await take(readings);
      if (of !== null) readings.set(of.workspaceId, { ...of, done: read(of, readings) });
      // A reading may have ended while the database was asked, and another calendar of its workspace be due.
      else if (reading.length > 0) await Promise.race(reading);
      else return;
    }
    await Promise.all([...readings.values()].map(({ done: ended }) => ended));
  }

  function take(readings: Readings) {
    const now = clock.now();
    const failing = [...readings.values()].filter(({ isFailing }) => isFailing).length;
    const owners = Map.groupBy(
      [...readings.values()].flatMap((reading) => reading.owners),
      (owner) => owner,
    );
    return takeDue(pool, {
      now: now.toString(),
      until: now.add({ minutes: leaseMinutes }).toString(),
      except: [...readings.keys()],
      exceptOwners: [...owners].filter(([, { length }]) => length >= mostOfOwner).map(([owner]) => owner),
      isFailing: failing < mostFailing,
    });
  }

  async function read(of: { workspaceId: string; id: string }, readings: Readings): Promise<void> {
    try {
      await readSource(ports, { ...of, personId: null });
    } catch (error) {
      // It stays leased for some minutes, and the others are read.
      log.warn({ calendar: of.id, error: String(error) }, 'a calendar could not be read');
    } finally {
      readings.delete(of.workspaceId);
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
