import * as rows from '#features/reminders/deletion.db.ts';
import { lockReminder } from '#features/reminders/occurrence.db.ts';
import { planReminder, unplanReminder } from '#features/reminders/occurrence.service.ts';
import { findReminder } from '#features/reminders/reminders.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';

/** It goes out no more from the moment this is saved. For a day it can be restored; then the archiver lets go of it. */
export async function deleteReminder(ctx: TenantContext, id: string): Promise<void> {
  await removeReminder(ctx, id);
  await announce(ctx, ['reminders', 'jobs']);
}

/** The same for one of many: whoever calls it tells the screens. */
export async function removeReminder(ctx: TenantContext, id: string): Promise<void> {
  await lockReminder(ctx.db, id);
  const of = { workspaceId: ctx.workspaceId, id };
  if ((await findReminder(ctx.db, of)) === undefined) throw new NotFound('reminder');
  const jobs = await rows.takeJobs(ctx.db, { ids: await unplanReminder(ctx, id) });
  await rows.markDeleted(ctx.db, { ...of, jobs, now: ctx.now.toString() });
  await recordAct(ctx, { action: 'reminder.deleted', target: id });
}

/**
 * Puts a deleted reminder back with what had been waiting. What came due meanwhile is treated as after downtime, by the
 * reminder's own rule. Throws NotFound where it was not deleted, or the archiver has let go of it since.
 */
export async function restoreReminder(ctx: TenantContext, id: string): Promise<void> {
  await lockReminder(ctx.db, id);
  const of = { workspaceId: ctx.workspaceId, id };
  const restored = await rows.markRestored(ctx.db, { ...of, now: ctx.now.toString() });
  if (restored === undefined) throw new NotFound('deleted reminder');
  const occurrences = await rows.putJobsBack(ctx.db, { jobs: restored.jobs });
  const reminder = await findReminder(ctx.db, of);
  // What was under way when it was deleted may have had no next one yet.
  if (reminder?.status === 'active' && occurrences === 0)
    await planReminder(ctx, reminder, { reason: 'The reminder was deleted', isResumed: false });
  await recordAct(ctx, { action: 'reminder.restored', target: id });
  await wakeDispatchers(ctx);
}
