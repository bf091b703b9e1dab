import type { BulkAction, BulkAnswer } from '#contract/bulk-reminders.ts';
import { lockJobsOf } from '#features/reminders/deletion.db.ts';
import { removeReminder, restoreReminder } from '#features/reminders/deletion.service.ts';
import { lockReminder } from '#features/reminders/occurrence.db.ts';
import { getReminder, nothingToPause, switchTo } from '#features/reminders/reminders.service.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';

/** Applies an action to each reminder in one transaction. A refusal precedes every write for its reminder and does not affect the others. */
export async function actOnReminders(
  ctx: TenantContext,
  { ids, action, until }: { ids: readonly string[]; action: BulkAction | 'restore'; until?: string | undefined },
): Promise<BulkAnswer> {
  // Sorted, because locking in one order avoids deadlocks between such requests.
  const each = [...new Set(ids)].toSorted();
  await lockJobsOf(ctx.db, { workspaceId: ctx.workspaceId, reminderIds: each });
  const found = new Map<string, BulkAnswer['results'][number]>();
  for (const id of each) found.set(id, await tried(() => act[action](ctx, id, until), id));
  if ([...found.values()].some(({ result }) => result === 'done')) await announce(ctx, ['reminders', 'jobs']);
  return { results: [...new Set(ids)].flatMap((id) => found.get(id) ?? []) };
}

/** Resolves with a message when the reminder's status leaves nothing to do. */
type Action = (ctx: TenantContext, id: string, until?: string) => Promise<string | void>;

const act: Record<BulkAction | 'restore', Action> = {
  pause: async (ctx, id, until) => {
    await lockReminder(ctx.db, id);
    const { status, is_done: isDone, paused_until: end } = await getReminder(ctx, id);
    if (status === 'draft') return 'A draft is not sent, so there is nothing to pause';
    if (status === 'paused' && end === null) return 'It is paused already';
    if (isDone) return nothingToPause;
    return switchTo(ctx, { id, status: 'paused', until });
  },
  resume: async (ctx, id) => {
    await lockReminder(ctx.db, id);
    const { status, is_done: isDone } = await getReminder(ctx, id);
    if (status === 'draft') return 'A draft is not started by resuming it';
    if (isDone) return 'It is done: edit it to a new time to send it again';
    return switchTo(ctx, { id, status: 'active' });
  },
  delete: (ctx, id) => removeReminder(ctx, id),
  restore: (ctx, id) => restoreReminder(ctx, id),
};

async function tried(work: () => Promise<string | void>, id: string): Promise<BulkAnswer['results'][number]> {
  try {
    const message = await work();
    return message === undefined ? { id, result: 'done' } : { id, result: 'unchanged', message };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, result: 'refused', message: error.message };
  }
}
