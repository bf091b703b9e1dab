import { randomUUIDv7 } from 'node:crypto';
import type { Reminder } from '#contract/reminders.ts';
import { leftItsCalendar } from '#domain/ledger-reasons.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { cancelEventJobs } from '#features/events/events.db.ts';
import * as rows from '#features/events/scheduled-events.db.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';

/** A message that a calendar asks for. `key` stays the same when it moves; `hash` covers its time and text. */
export type WantedEvent = {
  key: string;
  hash: string;
  at: string;
  title: string;
  data: Readonly<Record<string, string>>;
};

type Wanted = {
  reminder: Pick<Reminder, 'id' | 'status' | 'metadata'> & { revision: number };
  wanted: readonly WantedEvent[];
  /** From here on `wanted` is complete: an open message that is not in it is cancelled. */
  since: Temporal.Instant;
};

/**
 * Makes the jobs of a reminder match what its calendar asks for. What has not begun is moved, cancelled or restored; what was sent stays, and is sent
 * again if its event moves afterwards. An unchanged calendar changes nothing. Runs in one transaction, under the lock of the reminder.
 * @returns how many were added, moved and cancelled
 */
export async function scheduleEvents(
  { db, workspaceId, now }: Pick<TenantContext, 'db' | 'workspaceId' | 'now'>,
  { reminder, wanted, since }: Wanted,
): Promise<{ added: number; changed: number; cancelled: number }> {
  const of = { workspaceId, reminderId: reminder.id };
  const found = await rows.findScheduledEvents(db, { ...of, since: since.toString() });
  const steps = stepsOf({ known: latestOf(found), wanted, now });
  const job = {
    status: reminder.status === 'active' ? ('pending' as const) : ('paused' as const),
    revision: reminder.revision,
    maxAttempts: maxAttemptsOf(reminder.metadata.channels),
    now: now.toString(),
  };
  if (steps.add.length > 0) await rows.insertScheduled(db, { ...of, events: steps.add, ...job });
  const changed = new Set([
    ...(steps.move.length > 0 ? await rows.moveJobs(db, { workspaceId, events: steps.move, now: job.now }) : []),
    ...(steps.revive.length > 0 ? await rows.reviveJobs(db, { workspaceId, events: steps.revive, ...job }) : []),
  ]);
  const events = [...steps.move, ...steps.revive].filter(({ id }) => changed.has(id));
  if (events.length > 0) await rows.updateEvents(db, { workspaceId, events });
  if (steps.cancel.length > 0) {
    await cancelEventJobs(db, { workspaceId, eventIds: steps.cancel, ...leftItsCalendar, now: job.now });
    await rows.markAllCancelled(db, { workspaceId, eventIds: steps.cancel, now: job.now });
  }
  if (steps.add.length + changed.size + steps.cancel.length > 0) {
    await wakeDispatchers({ db });
    await announce({ db, workspaceId }, ['jobs', 'reminders', 'deliveries']);
  }
  return { added: steps.add.length, changed: changed.size, cancelled: steps.cancel.length };
}

type Known = ReadonlyMap<string, { row: rows.ScheduledRow; sent: number }>;

/** A message that is sent again has one row for each time, with the keys `key.1`, `key.2`. The last row counts. */
function latestOf(found: readonly rows.ScheduledRow[]): Known {
  const latest = new Map<string, { row: rows.ScheduledRow; sent: number }>();
  for (const row of found) {
    const [key = '', number = '1'] = row.key.split('.');
    const sent = Number(number);
    if (sent >= (latest.get(key)?.sent ?? 0)) latest.set(key, { row, sent });
  }
  return latest;
}

type Steps = Record<'add' | 'move' | 'revive', rows.EventToSchedule[]> & { cancel: string[] };

function stepsOf({
  known,
  wanted,
  now,
}: {
  known: Known;
  wanted: readonly WantedEvent[];
  now: Temporal.Instant;
}): Steps {
  const steps: Steps = { add: [], move: [], revive: [], cancel: [] };
  const keys = new Set<string>();
  for (const one of wanted) {
    if (keys.has(one.key)) continue;
    keys.add(one.key);
    const { row, sent } = known.get(one.key) ?? { row: null, sent: 0 };
    const isToCome = Temporal.Instant.compare(Temporal.Instant.from(one.at), now) > 0;
    const next = () => steps.add.push(scheduledEventOf(one, { id: randomUUIDv7(), sent: sent + 1 }));
    if (row === null) {
      if (isToCome) next();
      continue;
    }
    const again = () => scheduledEventOf(one, { id: row.id, sent });
    switch (stateOf(row)) {
      case 'waiting':
        if (row.request_hash === one.hash) break;
        if (isToCome) steps.move.push(again());
        else steps.cancel.push(row.id);
        break;
      case 'cancelled by its calendar':
        if (isToCome) steps.revive.push(again());
        break;
      case 'over':
        if (isToCome && Date.parse(row.occurred_at) !== Date.parse(one.at)) next();
        break;
      case 'cancelled by somebody':
        break;
    }
  }
  for (const [key, { row }] of known)
    if (!keys.has(key) && (row.status === 'pending' || row.status === 'paused' || row.status === 'running'))
      steps.cancel.push(row.id);
  return steps;
}

type State = 'waiting' | 'cancelled by its calendar' | 'cancelled by somebody' | 'over';

function stateOf({ status, attempts, expires_at, completed_at, cancelled_at, occurred_at }: rows.ScheduledRow): State {
  const hasBegun = (attempts ?? 0) > 0 || expires_at !== null;
  if ((status === 'pending' || status === 'paused') && !hasBegun) return 'waiting';
  if (status !== 'cancelled' || hasBegun) return 'over';
  if (cancelled_at !== null) return 'cancelled by its calendar';
  // Cancelled before it was due: by the calendar. What was cancelled when due was not sent for another reason.
  return completed_at !== null && Date.parse(completed_at) < Date.parse(occurred_at) ? 'cancelled by somebody' : 'over';
}

const scheduledEventOf = (
  { key, hash, at, title, data }: WantedEvent,
  { id, sent }: { id: string; sent: number },
): rows.EventToSchedule => ({ id, key: `${key}.${sent}`, hash, at, name: title, payload: JSON.stringify({ data }) });
