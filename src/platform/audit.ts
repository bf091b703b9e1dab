import type { Db } from '#platform/database.ts';
import type { Actor } from '#platform/context.ts';

/**
 * Writes a security-relevant act into the workspace's audit log, which is append-only.
 * @param act.action what was done to what, such as `api_key.created`; `target` is its id
 */
export async function recordAct(
  { db, workspaceId, actor, now }: { db: Db; workspaceId: string; actor: Actor; now: Temporal.Instant },
  act: { action: string; target: string; details?: Record<string, string | number | boolean | null> },
): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      workspace_id: workspaceId,
      actor_id: actor.kind === 'user' ? actor.userId : actor.apiKeyId,
      action: act.action,
      target: act.target,
      details: JSON.stringify({ ...act.details, actor: actor.kind }),
      created_at: now.toString(),
    })
    .execute();
}
