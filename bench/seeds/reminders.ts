import type { Client } from 'pg';
import { content } from '../webhook.ts';

const timezone = 'Europe/Berlin';

export type Scheduled = {
  workspaceId: string;
  channel: 'webhook' | 'email';
  recipient: string;
  /** One reminder for each instant, with millisecond precision. */
  at: readonly Temporal.Instant[];
};

/** Inserts daily reminders at these times, each with its occurrence, as saving them would. */
export async function writeReminders(owner: Client, { workspaceId, channel, recipient, at }: Scheduled): Promise<void> {
  const monthBefore = (instant: Temporal.Instant) =>
    instant.toZonedDateTimeISO(timezone).subtract({ days: 30 }).toPlainDateTime().toString();
  // Many reminders share one instant, which is formatted only once.
  const startDates = new Map<Temporal.Instant, string>();
  for (const instant of at) if (!startDates.has(instant)) startDates.set(instant, monthBefore(instant));
  await owner.query(
    `with scheduled as materialized (
       select uuidv7() as id, u.at, u.start_date from unnest($4::timestamptz[], $5::text[]) as u (at, start_date)
     ), written as (
       insert into reminders (id, workspace_id, name, status, schedule_config, content, metadata)
       select id, $1, 'Rent', 'active',
              json_build_object('type', 'scheduled', 'scheduleType', 'daily', 'startDate', start_date, 'timezone', $6::text), $2, $3
         from scheduled)
     insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at)
     select $1, id, 'Rent', 'reminder', at, at from scheduled`,
    [
      workspaceId,
      { ...content, recipients: [recipient] },
      { channels: [channel], priority: 'medium' },
      at.map(String),
      at.map((instant) => startDates.get(instant)),
      timezone,
    ],
  );
}

/** Inserts n jobs that have just become due, and vacuums the tables. */
export async function writeDue(
  owner: Client,
  { n, ...scheduled }: Omit<Scheduled, 'at'> & { n: number },
): Promise<void> {
  const due = Temporal.Now.instant().subtract({ seconds: 1 }).round('second');
  await writeReminders(owner, { ...scheduled, at: Array.from({ length: n }, () => due) });
  await tidy(owner);
}

export async function tidy(owner: Client): Promise<void> {
  await owner.query('vacuum (analyze) reminders, jobs, queue, deliveries, job_executions');
  await owner.query('checkpoint');
}

/** Random instants from `start` on, with millisecond precision, at this rate per second. */
export function randomInstants(
  start: Temporal.Instant,
  { perSecond, seconds }: { perSecond: number; seconds: number },
) {
  return Array.from({ length: Math.round(perSecond * seconds) }, () =>
    start.add({ milliseconds: Math.floor(Math.random() * seconds * 1000) }).round('millisecond'),
  );
}
