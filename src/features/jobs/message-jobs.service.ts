import { insertMessageJob, type MessageJob, updateCaller } from '#features/jobs/message-jobs.db.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';

/** Creates a job that sends one message, which is stored with it, at its time. Returns the job's id. */
export async function sendByJob(
  ctx: Pick<TenantContext, 'db' | 'workspaceId' | 'now'>,
  job: MessageJob,
): Promise<string> {
  const id = await insertMessageJob(ctx.db, { ...job, workspaceId: ctx.workspaceId, now: ctx.now.toString() });
  await wakeDispatchers(ctx);
  await announce(ctx, ['jobs']);
  return id;
}

/** Records the API key that asked for a job, which may then read it. A person may read every job. */
export async function nameCaller({ db, workspaceId, actor }: TenantContext, id: string): Promise<void> {
  if (actor.kind === 'api_key') await updateCaller(db, { workspaceId, id, apiKeyId: actor.apiKeyId });
}
