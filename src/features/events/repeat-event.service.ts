import { randomUUID } from 'node:crypto';
import type { Event } from '#contract/events.ts';
import { EventPayload } from '#contract/job-payloads.ts';
import { findStoredEvent } from '#features/events/event-list.db.ts';
import { takeEvent } from '#features/events/events.service.ts';
import { apiKeyOf, type TenantContext } from '#platform/context.ts';
import { NotFound, Unprocessable } from '#platform/errors.ts';

/**
 * Sends an event again: a new event with the same data, for the reminders that wait for it now, with their delays from now. Throws Unprocessable for
 * an event whose data is not kept any more, or that led to nothing.
 */
export async function repeatEvent(ctx: TenantContext, id: string): Promise<Event> {
  const found = await findStoredEvent(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (found === undefined) throw new NotFound('event');
  if (found.payload === null)
    throw new Unprocessable('The data of this event is not kept: its sender has to send it again');
  const { data: variables, recipients } = EventPayload.parse(found.payload);
  const { event } = await takeEvent(ctx, {
    event: found.event,
    key: randomUUID(),
    reminderId: found.reminder_id,
    variables,
    ...(recipients && { recipients }),
    occurredAt: null,
    apiKeyId: apiKeyOf(ctx.actor),
    repeatedEventId: found.id,
  });
  return event;
}
