import { randomUUIDv7 } from 'node:crypto';
import { limits } from '#contract/reminders.ts';
import { isOfCalendar } from '#contract/schedules.ts';
import { insertReminder } from '#features/reminders/reminders.db.ts';
import { type EveryField, getReminder, type StoredReminder } from '#features/reminders/reminders.service.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';

/** Copies a reminder as a draft, which sends nothing until a person activates it. */
export async function duplicateReminder(ctx: TenantContext, id: string): Promise<StoredReminder> {
  const { name, description, schedule_config, content, metadata: of } = await getReminder(ctx, id);
  // A draft is in no other list than that of the reminders.
  const { one_off: _, ...metadata } = of;
  const copy = randomUUIDv7();
  const input = {
    name: copyOf(name),
    description,
    status: 'draft',
    // The copy of a calendar's reminder gets no schedule, because a calendar has one reminder.
    schedule_config: isOfCalendar(schedule_config)
      ? { type: 'event-based', timezone: schedule_config.timezone }
      : schedule_config,
    content,
    metadata,
  } satisfies EveryField;
  await insertReminder(ctx.db, {
    id: copy,
    workspaceId: ctx.workspaceId,
    createdBy: personOf(ctx.actor),
    now: ctx.now.toString(),
    input,
  });
  await recordAct(ctx, {
    action: 'reminder.created',
    target: copy,
    details: { name: input.name, status: input.status },
  });
  await announce(ctx, ['reminders']);
  return getReminder(ctx, copy);
}

const suffix = ' (copy)';

/** A name that is too long with its suffix is cut between grapheme clusters. */
function copyOf(name: string): string {
  let kept = '';
  for (const { segment } of letters.segment(name)) {
    if (kept.length + segment.length > limits.name - suffix.length) break;
    kept += segment;
  }
  return kept.trimEnd() + suffix;
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
