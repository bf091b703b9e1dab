import type { HookCall } from '#contract/events.ts';
import { findCalls, insertCall } from '#features/events/hook-calls.db.ts';
import { mustFindHook } from '#features/events/hooks.service.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';

type Answered = { reminderId: string; status: number } & ({ eventId: string } | { problem: string });

/** Stores how a call of a hook was answered, in place of the tenth before it. Nothing of its body is kept. */
export async function recordCall(
  ctx: Pick<TenantContext, 'db' | 'workspaceId' | 'now'>,
  { reminderId, status, ...came }: Answered,
): Promise<void> {
  await insertCall(ctx.db, {
    workspaceId: ctx.workspaceId,
    reminderId,
    status,
    // The message may repeat a field's name from the body, which may contain NUL.
    problem: 'problem' in came ? came.problem.replaceAll('\u0000', '').slice(0, 300) : null,
    eventId: 'eventId' in came ? came.eventId : null,
    now: ctx.now.toString(),
  });
  await announce(ctx, ['events']);
}

/** The latest calls of a reminder's hook, latest first. */
export async function listHookCalls(ctx: TenantContext, reminderId: string): Promise<HookCall[]> {
  await mustFindHook(ctx, reminderId);
  const found = await findCalls(ctx.db, { workspaceId: ctx.workspaceId, reminderId });
  return found.map(({ received_at, status, problem, event_id: id, jobs, job_count, hint }) => ({
    received_at,
    status,
    problem,
    event: id === null ? null : { id, jobs, job_count, hint },
  }));
}
