import { createHash } from 'node:crypto';
import type { CancelledEvent, Event } from '#contract/events.ts';
import { calendarTrigger, eventTriggers } from '#contract/schedules.ts';
import { dueAfterEvent } from '#domain/delay.ts';
import { addressedByEvent, isForNobody } from '#domain/event-recipients.ts';
import { eventWasCancelled } from '#domain/ledger-reasons.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { oneTimeGrace } from '#domain/schedule.ts';
import * as rows from '#features/events/events.db.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound, Unprocessable } from '#platform/errors.ts';

/** The parts of a request's context that are needed; without an actor, which a hook does not have. */
type Context = Pick<TenantContext, 'db' | 'workspaceId' | 'now'>;

export type EventInput = {
  event: string;
  key: string;
  /** The reminder whose hook was called; null means every reminder with the trigger. */
  reminderId: string | null;
  variables: Readonly<Record<string, string>>;
  recipients?: readonly string[];
  /** The time at which the delay starts; null for now. */
  occurredAt: Temporal.Instant | null;
  /** The API key that reports the event. */
  apiKeyId?: string | null;
  /** How many requests of Cuebird led to it; none when absent. */
  hops?: number;
  /** The id of the event that is sent again. */
  repeatedEventId?: string | null;
};

/**
 * Creates a job for each active reminder with this trigger, at the event's time plus the reminder's delay, once per
 * key. Throws Unprocessable when the key was used with another event. Events store their own keys instead of using
 * `Idempotency-Key`: a key lives as long as the event, for any sender, and can cancel it.
 */
export async function takeEvent(ctx: Context, input: EventInput): Promise<{ event: Event; isRepeated: boolean }> {
  const of = { workspaceId: ctx.workspaceId, reminderId: input.reminderId, key: input.key };
  const requestHash = hashOf(input);
  const made = await rows.insertEvent(ctx.db, {
    ...of,
    event: input.event,
    requestHash,
    occurredAt: (input.occurredAt ?? ctx.now).toString(),
    apiKeyId: input.apiKeyId ?? null,
    repeatedEventId: input.repeatedEventId ?? null,
    now: ctx.now.toString(),
  });
  if (made !== undefined) return { event: await fire(ctx, { row: made, input }), isRepeated: false };
  const known = await rows.findEvent(ctx.db, of);
  if (known === undefined) throw new Error('an event that conflicts is not there');
  // A hook's sender may count its attempts in the body, so a repeated body may differ.
  if (input.reminderId === null && known.request_hash !== requestHash)
    throw new Unprocessable('This key was used with another event');
  return { event: await onTheWire(ctx, known), isRepeated: true };
}

async function fire(ctx: Context, { row, input }: { row: rows.EventRow; input: EventInput }): Promise<Event> {
  // The reminder of a calendar is triggered by that calendar only.
  const waiting =
    input.event === calendarTrigger ? [] : await rows.findWaiting(ctx.db, { workspaceId: ctx.workspaceId, ...input });
  const oldest = ctx.now.subtract(oneTimeGrace);
  const due = waiting.map((reminder) => ({
    reminder,
    at: dueAfterEvent(reminder.schedule_config, { occurredAt: input.occurredAt ?? ctx.now }),
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
        maxAttempts: maxAttemptsOf(reminder.metadata.channels),
        revision: reminder.revision,
      })),
      payload: { data: input.variables, recipients: input.recipients, hops: input.hops || undefined },
      now: ctx.now.toString(),
    });
    await wakeDispatchers(ctx);
    await announce(ctx, ['jobs']);
  }
  await announce(ctx, ['events']);
  const forNobody = timely.filter(({ reminder }) => reachesNobody(reminder, input)).length;
  const hint = hintOf(input, { waiting: due.length, late: due.length - timely.length, forNobody });
  if (hint === null) return onTheWire(ctx, row);
  await rows.setHint(ctx.db, { workspaceId: ctx.workspaceId, eventId: row.id, hint: hint.slice(0, 300) });
  return { ...(await onTheWire(ctx, row)), hint };
}

/** Whether no recipient is known before the data is rendered. Only whether the reminder has recipients is asked, not who. */
function reachesNobody(
  { metadata, listed }: Awaited<ReturnType<typeof rows.findWaiting>>[number],
  { variables: data, recipients }: EventInput,
): boolean {
  const content = { recipients: listed > 0 ? ['listed'] : [] };
  return isForNobody(addressedByEvent({ content, metadata }, { data, recipients }), metadata);
}

function hintOf(
  { event, reminderId }: EventInput,
  { waiting, late, forNobody }: { waiting: number; late: number; forNobody: number },
): string | null {
  if (late > 0)
    return `${late} of ${waiting} reminders are not sent: their time was more than ${oneTimeGrace.total('hours')} hours ago`;
  if (forNobody > 0)
    return `${forNobody} of ${waiting} reminders are not sent: the event names nobody, and they list no recipients`;
  if (waiting > 0) return null;
  if (reminderId !== null) return 'The reminder is not active, so nothing is sent';
  return eventTriggers.some((trigger) => trigger === event)
    ? `No active reminder of this workspace waits for ${event}`
    : `No reminder can wait for "${event}": the triggers are ${eventTriggers.join(', ')}`;
}

/** Cancels an event: pending deliveries are not sent. Repeating it changes nothing. */
export async function cancelEvent(
  ctx: Context,
  { key, reminderId }: { key: string; reminderId: string | null },
): Promise<CancelledEvent> {
  const found = await rows.findEvent(ctx.db, { workspaceId: ctx.workspaceId, reminderId, key });
  if (found === undefined) throw new NotFound('event');
  const of = { workspaceId: ctx.workspaceId, eventId: found.id, now: ctx.now.toString() };
  const { since } = await rows.markCancelled(ctx.db, of);
  await rows.cancelEventJobs(ctx.db, { ...of, eventIds: [found.id], ...eventWasCancelled });
  await announce(ctx, ['jobs', 'deliveries', 'events']);
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

/** Requests with one key are equal when this hash is; the order of members does not matter. */
function hashOf({ event, variables, recipients, occurredAt }: EventInput): string {
  const sorted = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([event, sorted, recipients ?? null, occurredAt?.toString() ?? null]))
    .digest('base64url');
}
