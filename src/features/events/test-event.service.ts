import { shownMatches, type TestEvent } from '#contract/events.ts';
import { dueAfterEvent } from '#domain/delay.ts';
import { recipientsIn } from '#domain/event-recipients.ts';
import { listWaiting } from '#features/events/events.db.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { Unprocessable } from '#platform/errors.ts';

type Test = {
  reminderId: string;
  variables: Readonly<Record<string, string>>;
  to: { recipients: string[]; slack: boolean; push: boolean };
};

/**
 * Sends an event reminder now, as a test, with the given data, to the recipients of the test only. Also returns the reminders that such an event
 * would trigger, and whom it names. Throws Unprocessable for a scheduled reminder.
 */
export async function testEvent(ctx: TenantContext, { reminderId, variables, to }: Test): Promise<TestEvent> {
  const { content, schedule_config: schedule } = await getReminder(ctx, reminderId);
  if (schedule.type !== 'event-based') throw new Unprocessable('This reminder does not wait for an event');
  const { subject, message } = content;
  const { job_id } = await testReminder(ctx, { id: reminderId, test: { ...to, subject, message, data: variables } });
  const { eventTrigger: event } = schedule;
  const waiting = event === undefined ? [] : await listWaiting(ctx.db, { workspaceId: ctx.workspaceId, event });
  const matches = waiting
    .map(({ id, name, schedule_config: own }) => ({
      reminder_id: id,
      name,
      scheduled_for: dueAfterEvent(own, { occurredAt: ctx.now }).toString(),
    }))
    .toSorted((a, b) => Date.parse(a.scheduled_for) - Date.parse(b.scheduled_for));
  return {
    job_id,
    match_count: matches.length,
    matches: matches.slice(0, shownMatches),
    named: recipientsIn(variables),
  };
}
