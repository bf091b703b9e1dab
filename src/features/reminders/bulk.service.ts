import type { BulkAction, BulkAnswer } from '#contract/reminders.ts';
import { lockJobsOf } from '#features/reminders/deletion.db.ts';
import { removeReminder, restoreReminder } from '#features/reminders/deletion.service.ts';
import { switchTo } from '#features/reminders/reminders.service.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';

/** Applies an action to each reminder in one transaction. A refusal precedes every write for its reminder and does not affect the others. */
export async function actOnReminders(
  ctx: TenantContext,
  { ids, action }: { ids: readonly string[]; action: BulkAction | 'restore' },
): Promise<BulkAnswer> {
  // A fixed lock order avoids deadlocks between such requests.
  const each = [...new Set(ids)].toSorted();
  await lockJobsOf(ctx.db, { workspaceId: ctx.workspaceId, reminderIds: each });
  const found = new Map<string, BulkAnswer['results'][number]>();
  for (const id of each) found.set(id, await tried(() => act[action](ctx, id), id));
  if ([...found.values()].some(({ result }) => result === 'done')) await announce(ctx, ['reminders', 'jobs']);
  return { results: [...new Set(ids)].flatMap((id) => found.get(id) ?? []) };
}

const act: Record<BulkAction | 'restore', (ctx: TenantContext, id: string) => Promise<void>> = {
  pause: (ctx, id) => switchTo(ctx, { id, status: 'paused' }),
  resume: (ctx, id) => switchTo(ctx, { id, status: 'active' }),
  delete: removeReminder,
  restore: restoreReminder,
};

async function tried(work: () => Promise<void>, id: string): Promise<BulkAnswer['results'][number]> {
  try {
    await work();
    return { id, result: 'done' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, result: 'refused', message: error.message };
  }
}
