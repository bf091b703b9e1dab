import { sql } from 'kysely';
import type { FirstSteps } from '#contract/dashboard.ts';
import { type MemberContext, personOf, type TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';

/**
 * The first steps of a workspace; null once all are done, for a member who has dismissed them, and for a program.
 * @param options.hasSandbox messages arrive there, so no channel is needed to begin
 */
export async function firstStepsOf(
  { db, workspaceId, actor }: TenantContext,
  { hasSandbox }: { hasSandbox: boolean },
): Promise<FirstSteps | null> {
  const userId = personOf(actor);
  const done = userId === null ? null : await findFirstSteps(db, { workspaceId, userId });
  if (done === null) return null;
  const steps = { ...done, channel: hasSandbox ? null : done.channel };
  return Object.values(steps).includes(false) ? steps : null;
}

/** Hides the first steps for this member; the others still see them. */
export async function dismissFirstSteps({ db, workspaceId, actor, now }: MemberContext): Promise<void> {
  await saveDismissal(db, { workspaceId, userId: actor.userId, now: now.toString() });
}

type Member = { workspaceId: string; userId: string };

/** Which first steps the workspace has done; null where the member has dismissed them. */
async function findFirstSteps(db: Db, { workspaceId, userId }: Member): Promise<FirstSteps | null> {
  const { rows } = await sql<FirstSteps>`
    select exists (select from contacts where workspace_id = ${workspaceId}) as contact,
           exists (select from channels where workspace_id = ${workspaceId}) as channel,
           exists (select from reminders where workspace_id = ${workspaceId} and status <> 'deleted') as reminder,
           exists (select from executions where workspace_id = ${workspaceId} and status = 'completed') or ${isPartlySent({ workspaceId })} as message
      from workspace_members
     where workspace_id = ${workspaceId} and user_id = ${userId} and first_steps_dismissed_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Whether one of the latest runs that failed has reached somebody. */
const isPartlySent = ({ workspaceId }: Pick<Member, 'workspaceId'>) => sql`exists (
  select from (select job_id from executions
                where workspace_id = ${workspaceId} and status = 'failed' order by listed_at desc limit 20) latest
    join jobs j on j.workspace_id = ${workspaceId} and j.id = latest.job_id
   where exists (select from deliveries d
                  where d.workspace_id = ${workspaceId} and d.job_id = j.id and d.scheduled_for = j.scheduled_for
                    and d.status in ('accepted', 'delivered')))`;

const saveDismissal = (db: Db, { workspaceId, userId, now }: Member & { now: string }) =>
  db
    .updateTable('workspace_members')
    .set({ first_steps_dismissed_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('first_steps_dismissed_at', 'is', null)
    .execute();
