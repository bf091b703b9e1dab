import { reminderWasDeleted } from '#domain/ledger-reasons.ts';
import * as rows from '#features/reminders/deletion.db.ts';
import { lockReminder } from '#features/reminders/occurrence.db.ts';
import { scheduleReminder, unscheduleReminder } from '#features/reminders/occurrence.service.ts';
import { findReminder } from '#features/reminders/reminders.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';

/**
 * Deletes a reminder: nothing is sent after the commit. For a day the row stays with the status `deleted` and its pending jobs in `deleted_jobs`, so
 * that it can be restored unchanged: a new row would be another reminder for the ledger, hooks and events, and could send a one-time reminder twice.
 * Then the archiver deletes it.
 */
export async function deleteReminder(ctx: TenantContext, id: string): Promise<void> {
  await removeReminder(ctx, id);
  await announce(ctx, ['reminders', 'jobs']);
}

/** Deletes one of many reminders; the caller announces the change. */
export async function removeReminder(ctx: TenantContext, id: string): Promise<void> {
  await lockReminder(ctx.db, id);
  const of = { workspaceId: ctx.workspaceId, id };
  const reminder = await findReminder(ctx.db, of);
  if (reminder === undefined) throw new NotFound('reminder');
  const jobs = await rows.takeJobs(ctx.db, { ids: await unscheduleReminder(ctx, id) });
  await rows.markDeleted(ctx.db, { ...of, jobs, now: ctx.now.toString() });
  await recordAct(ctx, { action: 'reminder.deleted', target: id, details: { name: reminder.name } });
}

/**
 * Restores a deleted reminder with its pending jobs. Occurrences that became due meanwhile follow the reminder's misfire policy. Throws
 * NotFound when it is not deleted, or has been removed permanently.
 */
export async function restoreReminder(ctx: TenantContext, id: string): Promise<void> {
  await lockReminder(ctx.db, id);
  const of = { workspaceId: ctx.workspaceId, id };
  const restored = await rows.markRestored(ctx.db, { ...of, now: ctx.now.toString() });
  if (restored === undefined) throw new NotFound('deleted reminder');
  const occurrences = await rows.putJobsBack(ctx.db, { jobs: restored.jobs });
  const reminder = await findReminder(ctx.db, of);
  // If it was deleted during a running occurrence, it may have no next one.
  if (reminder?.status === 'active' && occurrences === 0)
    await scheduleReminder(ctx, reminder, { reason: reminderWasDeleted, isResumed: false });
  await recordAct(ctx, { action: 'reminder.restored', target: id, details: { name: reminder?.name ?? null } });
  await wakeDispatchers(ctx);
}
