import { randomUUIDv7 } from 'node:crypto';
import type { Reminder, ReminderInput } from '#contract/reminders.ts';
import { maxAttempts } from '#domain/retry.ts';
import { lockReminder } from '#features/reminders/occurrence.db.ts';
import { planReminder } from '#features/reminders/occurrence.service.ts';
import { assertPins } from '#features/reminders/pins.service.ts';
import * as rows from '#features/reminders/reminders.db.ts';
import { assertCanRun, startingNow } from '#features/reminders/schedule.service.ts';
import { insertTestJob } from '#features/reminders/test-send.db.ts';
import { countUse } from '#features/templates/templates.service.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';

/** A reminder with its next time; what a person is warned of depends on the installation and is added where it is answered. */
export type StoredReminder = Omit<Reminder, 'warnings'>;

export async function getReminder(ctx: TenantContext, id: string): Promise<StoredReminder> {
  const row = await rows.findReminder(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (row === undefined) throw new NotFound('reminder');
  return withoutRevision(row);
}

export async function createReminder(ctx: TenantContext, written: ReminderInput): Promise<StoredReminder> {
  const input = withStart(written, ctx.now);
  if (input.status === 'active') assertCanRun(input.schedule_config, ctx.now);
  await assertPins(ctx, input.metadata);
  await countTemplate(ctx, { now: input, before: null });
  const id = randomUUIDv7();
  await rows.insertReminder(ctx.db, {
    id,
    workspaceId: ctx.workspaceId,
    createdBy: personOf(ctx.actor),
    now: ctx.now.toString(),
    input,
  });
  await planReminder(ctx, { ...input, id, revision: 1 }, { reason: 'The reminder was edited', isResumed: false });
  await announce(ctx, ['reminders', 'jobs']);
  return getReminder(ctx, id);
}

export async function updateReminder(
  ctx: TenantContext,
  { id, input: written }: { id: string; input: ReminderInput },
): Promise<StoredReminder> {
  await lockReminder(ctx.db, id);
  const before = await getReminder(ctx, id);
  const input = withStart(written, ctx.now);
  if (input.status === 'active') assertCanRun(input.schedule_config, ctx.now, before);
  await assertPins(ctx, input.metadata);
  await countTemplate(ctx, { now: input, before });
  const replaced = await rows.replaceReminder(ctx.db, {
    workspaceId: ctx.workspaceId,
    id,
    now: ctx.now.toString(),
    input,
  });
  if (replaced === undefined) throw new NotFound('reminder');
  const isResumed = before.status !== 'active';
  await planReminder(
    ctx,
    { ...input, id, revision: replaced.revision },
    { reason: 'The reminder was edited', isResumed },
  );
  await announce(ctx, ['reminders', 'jobs']);
  return getReminder(ctx, id);
}

/** Pausing holds the next occurrence back; resuming computes the next one from now, without catching up. */
export async function setReminderStatus(
  ctx: TenantContext,
  change: { id: string; status: 'active' | 'paused' },
): Promise<StoredReminder> {
  await switchTo(ctx, change);
  await announce(ctx, ['reminders', 'jobs']);
  return getReminder(ctx, change.id);
}

/** The same for one of many: whoever calls it tells the screens. Whatever it refuses, it refuses before it writes. */
export async function switchTo(
  ctx: TenantContext,
  { id, status }: { id: string; status: 'active' | 'paused' },
): Promise<void> {
  await lockReminder(ctx.db, id);
  const reminder = await getReminder(ctx, id);
  if (status === 'active') assertCanRun(reminder.schedule_config, ctx.now, reminder);
  const changed = await rows.setStatus(ctx.db, { workspaceId: ctx.workspaceId, id, now: ctx.now.toString(), status });
  if (changed === undefined) throw new NotFound('reminder');
  await planReminder(
    ctx,
    { ...reminder, status, revision: changed.revision },
    { reason: 'The reminder was paused', isResumed: reminder.status !== 'active' },
  );
}

/** Sends what the dialog holds, now, to its recipients only; the reminder's status and schedule do not matter. */
export async function testReminder(
  ctx: TenantContext,
  { id, test }: { id: string; test: { recipients: string[]; subject: string; message: string } },
): Promise<{ job_id: string }> {
  const reminder = await getReminder(ctx, id);
  const { channels, pinned_channels: pinned } = reminder.metadata;
  const jobId = await insertTestJob(ctx.db, {
    workspaceId: ctx.workspaceId,
    reminderId: id,
    name: `Test: ${reminder.name}`,
    now: ctx.now.toString(),
    maxAttempts: Math.max(...channels.map(maxAttempts)),
    payload: {
      testMode: true,
      recipients: test.recipients,
      channels,
      ...(pinned !== undefined && { pinned }),
      content: { subject: test.subject, message: test.message },
      originalReminder: { id, name: reminder.name },
      values: reminder.content.values ?? {},
      timezone: reminder.schedule_config.timezone,
    },
  });
  await wakeDispatchers(ctx);
  await announce(ctx, ['jobs']);
  return { job_id: jobId };
}

/** Counted once for each reminder; a template that was deleted since is still named by those that it began. */
async function countTemplate(
  ctx: TenantContext,
  { now, before }: { now: Pick<ReminderInput, 'metadata'>; before: Pick<ReminderInput, 'metadata'> | null },
): Promise<void> {
  const { template_id: id } = now.metadata;
  if (id !== undefined && id !== before?.metadata.template_id)
    await countUse(ctx, { id, path: 'metadata.template_id' });
}

export const withoutRevision = ({ revision: _, ...row }: rows.ReminderRow): StoredReminder => row;

/** A schedule without a start begins when it is saved. */
const withStart = (input: ReminderInput, now: Temporal.Instant): ReminderInput => ({
  ...input,
  name: input.name.trim(),
  schedule_config: startingNow(input.schedule_config, now),
});
