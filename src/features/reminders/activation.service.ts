import { isAudience } from '#contract/audience.ts';
import type { Reminder } from '#contract/reminders.ts';
import { missingForAll, unfilledNames } from '#domain/missing-values.ts';
import { assertMaySend } from '#features/billing/entitlements.service.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { assertCanRun } from '#features/reminders/schedule.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { Unprocessable } from '#platform/errors.ts';

type Written = Pick<Reminder, 'schedule_config' | 'content' | 'metadata'>;

/**
 * Refuses to activate a reminder that can never send a message: its schedule has no occurrence, or every delivery lacks a value. Throws
 * Unprocessable with the field to correct. An active reminder that never runs would look correct on every screen. Drafts are not
 * checked; their fields show a warning.
 */
export async function assertCanStart(
  ctx: TenantContext,
  reminder: Written,
  before?: Pick<Reminder, 'status' | 'is_done' | 'schedule_config'>,
): Promise<void> {
  if (before?.status !== 'active' || before.is_done) await assertMaySend(ctx);
  assertCanRun(reminder.schedule_config, ctx.now, before);
  await assertHasValues(ctx, reminder);
}

/** A value that only some recipients lack is a warning: the reminder is sent to the others. */
async function assertHasValues(ctx: TenantContext, reminder: Written): Promise<void> {
  const names = unfilledNames(reminder);
  // An audience's values are known only when it is sent.
  if (names.length === 0 || isAudience(reminder.metadata.audience)) return;
  const contacts = await contactsAmong(ctx, reminder.content.recipients);
  const missing = missingForAll(reminder, { names, contacts });
  if (missing.length === 0) return;
  throw new Unprocessable(
    `Enter a value for ${missing.join(', ')}: without it no message can be sent`,
    missing.map((name) => ({
      path: `content.values.${name}`,
      message: `Enter a value for ${name}: without it no message can be sent`,
    })),
  );
}
