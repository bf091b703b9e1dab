import type { LastEvent } from '#contract/events.ts';
import { EventPayload } from '#contract/job-payloads.ts';
import { findLatestStored } from '#features/events/event-list.db.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { Unprocessable } from '#platform/errors.ts';

/**
 * The latest event that a reminder would be sent for, from the API or its own hook or calendar. Null without one, or where its data is not kept any
 * more. Throws Unprocessable for a scheduled reminder.
 */
export async function findLastEvent(ctx: TenantContext, reminderId: string): Promise<LastEvent> {
  const { schedule_config: schedule } = await getReminder(ctx, reminderId);
  if (schedule.type !== 'event-based') throw new Unprocessable('This reminder does not wait for an event');
  const { eventTrigger: event } = schedule;
  if (event === undefined) return null;
  const found = await findLatestStored(ctx.db, { workspaceId: ctx.workspaceId, event, reminderId });
  if (found === undefined) return null;
  return { occurred_at: found.occurred_at, data: EventPayload.parse(found.payload).data };
}
