import { createHash } from 'node:crypto';
import type { CancelledEvent, Event } from '#contract/events.ts';
import { eventTriggers } from '#contract/schedules.ts';
import { dueAfterEvent } from '#domain/delay.ts';
import { maxAttempts } from '#domain/retry.ts';
import { oneTimeGrace } from '#domain/schedule.ts';
import * as rows from '#features/events/events.db.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound, Unprocessable } from '#platform/errors.ts';

/** What the work needs of its request: a hook has no actor. */
type Context = Pick<TenantContext, 'db' | 'workspaceId' | 'now'>;

export type Told = {
  event: string;
  key: string;
  /** The reminder whose hook tells it; null sends every reminder that waits for the event. */
  reminderId: string | null;
  variables: Readonly<Record<string, string>>;
  recipients?: readonly string[];
  /** From when the delay counts; null for now. */
  occurredAt: Temporal.Instant | null;
};

/**
 * Makes a job for each active reminder that waits for the event, at the event's time plus the reminder's delay, once per
 * key. Throws Unprocessable when the key came before with another event.
 */
export async function takeEvent(ctx: Context, told: Told): Promise<{ event: Event; isRepeated: boolean }> {
  const of = { workspaceId: ctx.workspaceId, reminderId: told.reminderId, key: told.key };
  const requestHash = hashOf(told);
  const made = await rows.insertEvent(ctx.db, {
    ...of,
    event: told.event,
    requestHash,
    occurredAt: (told.occurredAt ?? ctx.now).toString(),
    now: ctx.now.toString(),
  });
  if (made !== undefined) return { event: await fire(ctx, { row: made, told }), isRepeated: false };
  const known = await rows.findEvent(ctx.db, of);
  if (known === undefined) throw new Error('an event that conflicts is not there');
  // A sender that repeats itself at a hook may have counted up an attempt in its body.
  if (told.reminderId === null && known.request_hash !== requestHash)
    throw new Unprocessable('This key was used with another event');
  return { event: await onTheWire(ctx, known), isRepeated: true };
}

async function fire(ctx: Context, { row, told }: { row: rows.EventRow; told: Told }): Promise<Event> {
  const waiting = await rows.findWaiting(ctx.db, { workspaceId: ctx.workspaceId, ...told });
  const oldest = ctx.now.subtract(oneTimeGrace);
  const due = waiting.map((reminder) => ({
    reminder,
    at: dueAfterEvent(reminder.schedule_config, { occurredAt: told.occurredAt ?? ctx.now }),
  }));
  const timely = due.filter(({ at }) => Temporal.Instant.compare(at, oldest) >= 0);
  if (timely.length > 0) {
    await rows.insertEventJobs(ctx.db, {
      workspaceId: ctx.workspaceId,
      eventId: row.id,
      jobs: timely.map(({ reminder, at }) => ({
        reminderId: reminder.id,
        name: reminder.name,
        at: at.toString(),
        maxAttempts: Math.max(...reminder.metadata.channels.map(maxAttempts)),
        revision: reminder.revision,
      })),
      payload: { data: told.variables, recipients: told.recipients },
      now: ctx.now.toString(),
    });
    await wakeDispatchers(ctx);
    await announce(ctx, ['jobs']);
  }
  const hint = hintOf(told, { waiting: due.length, late: due.length - timely.length });
  return { ...(await onTheWire(ctx, row)), ...(hint === null ? {} : { hint }) };
}

function hintOf({ event, reminderId }: Told, { waiting, late }: { waiting: number; late: number }): string | null {
  if (late > 0)
    return `${late} of ${waiting} reminders are not sent: their time lay more than ${oneTimeGrace.total('hours')} hours back`;
  if (waiting > 0) return null;
  if (reminderId !== null) return 'The reminder is not active, so nothing is sent';
  return eventTriggers.some((trigger) => trigger === event)
    ? `No active reminder of this workspace waits for ${event}`
    : `No reminder can wait for "${event}": the triggers are ${eventTriggers.join(', ')}`;
}

/** Withdraws an event: what has not been sent is not sent. To do so again changes nothing more. */
export async function cancelEvent(
  ctx: Context,
  { key, reminderId }: { key: string; reminderId: string | null },
): Promise<CancelledEvent> {
  const found = await rows.findEvent(ctx.db, { workspaceId: ctx.workspaceId, reminderId, key });
  if (found === undefined) throw new NotFound('event');
  const of = { workspaceId: ctx.workspaceId, eventId: found.id, now: ctx.now.toString() };
  const { since } = await rows.markCancelled(ctx.db, of);
  await rows.cancelEventJobs(ctx.db, { ...of, reason: 'The event was withdrawn' });
  await announce(ctx, ['jobs', 'deliveries']);
  const jobs = await rows.jobsOf(ctx.db, of);
  const inStatus = (...statuses: string[]) =>
    jobs.filter((job) => statuses.includes(job.status)).map(({ status: _, ...job }) => job);
  return {
    id: found.id,
    event: found.event,
    key: found.key,
    cancelled_at: since,
    cancelled: inStatus('cancelled'),
    stopped: inStatus('running'),
    too_late: inStatus('completed', 'failed'),
  };
}

async function onTheWire(ctx: Context, { id, event, key, cancelled_at }: rows.EventRow): Promise<Event> {
  const jobs = await rows.jobsOf(ctx.db, { workspaceId: ctx.workspaceId, eventId: id });
  return { id, event, key, jobs: jobs.map(({ status: _, ...job }) => job), cancelled_at };
}

/** Two requests with one key say the same when this is the same; the order in which the data stands is no matter. */
function hashOf({ event, variables, recipients, occurredAt }: Told): string {
  const sorted = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([event, sorted, recipients ?? null, occurredAt?.toString() ?? null]))
    .digest('base64url');
}
