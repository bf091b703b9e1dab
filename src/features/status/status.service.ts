import { components, type Status } from '#contract/status.ts';
import type { Clock } from '#platform/clock.ts';
import { type DayRow, listDays } from '#features/status/health.db.ts';
import { type Health, type HealthPorts, readHealth, withoutDatabase } from '#features/status/health.service.ts';
import { historyOf } from '#features/status/history.ts';

export type StatusPorts = Omit<HealthPorts, 'now'> & { clock: Pick<Clock, 'now' | 'sleepUntil'> };

/** How long an answer is reused, because anybody may ask as often as they like. */
const keptMs = 10_000;
/** How long to wait for a database that does not answer. */
const patienceMs = 3_000;

/** Answers the state of the installation. Never throws: a database that does not answer is a state too. */
export function createStatus({ clock, ...ports }: StatusPorts): () => Promise<Status> {
  let days: DayRow[] = [];
  let last: { status: Promise<Status>; until: Temporal.Instant } | null = null;

  async function read(): Promise<Status> {
    const health = await withinPatience(lookUp()).catch(() => withoutDatabase);
    const now = clock.now();
    const history = historyOf(days, now);
    return {
      checked_at: now.toString(),
      is_operational: components.every((component) => health[component].state === 'operational'),
      components: components.map((component) => ({ component, ...health[component], days: history[component] })),
    };
  }

  async function lookUp(): Promise<Health> {
    const health = await readHealth({ ...ports, now: clock.now });
    days = await listDays(ports.pool);
    return health;
  }

  async function withinPatience(work: Promise<Health>): Promise<Health> {
    const ended = new AbortController();
    const tooLong = clock.sleepUntil(clock.now().add({ milliseconds: patienceMs }), ended.signal).then(() => {
      throw new Error('the database does not answer');
    });
    try {
      return await Promise.race([work, tooLong]);
    } finally {
      tooLong.catch(() => {});
      work.catch(() => {});
      ended.abort();
    }
  }

  return () => {
    const now = clock.now();
    if (last === null || Temporal.Instant.compare(now, last.until) >= 0)
      last = { status: read(), until: now.add({ milliseconds: keptMs }) };
    return last.status;
  };
}
