import { z } from 'zod';
import { type EarlierText } from '#contract/reminder-history.ts';
import { ReminderContent } from '#contract/reminders.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';
import { type Listed, readPage } from '#platform/page.ts';

const shown = 20;

const Text = z.object(ReminderContent.shape).pick({ subject: true, message: true, format: true });

/** The texts of the reminder before its edits, newest first. Throws NotFound. */
export async function listEarlierTexts(ctx: TenantContext, id: string): Promise<EarlierText[]> {
  await getReminder(ctx, id);
  const { rows } = await findEarlierTexts(ctx.db, { workspaceId: ctx.workspaceId, reminderId: id, limit: shown });
  return rows.map(({ revision, content, last_sent_at }) => ({ revision, ...Text.parse(content), last_sent_at }));
}

type Row = { revision: number; content: unknown; last_sent_at: string | null };

/** How many of the latest runs are searched for the texts that they were sent with. */
const runsLookedThrough = 1_000;

/** The earlier texts of the reminder that were sent, newest first. */
export function findEarlierTexts(
  db: Db,
  { workspaceId, reminderId, limit }: { workspaceId: string; reminderId: string; limit: number },
): Promise<Listed<Row>> {
  // As two queries, because each has its own index.
  const query = sql<Row>`(
    with sent as (
      select revision, max(scheduled_for) as last_sent_at
        from ((select revision, scheduled_for from jobs
                where workspace_id = ${workspaceId} and reminder_id = ${reminderId} and type = 'reminder' and started_at is not null
                order by scheduled_for desc limit ${runsLookedThrough})
              union all
              (select revision, scheduled_for from jobs
                where workspace_id = ${workspaceId} and reminder_id = ${reminderId} and type <> 'reminder'
                  and type <> 'test_reminder' and started_at is not null
                order by id desc limit ${runsLookedThrough})) runs
       group by revision
    )
    select t.revision, t.content, s.last_sent_at
      from reminder_texts t
      left join sent s using (revision)
     where t.workspace_id = ${workspaceId} and t.reminder_id = ${reminderId}
     order by t.revision desc limit ${limit + 1})`;
  return readPage(db, { query, limit, large: ['content'] });
}
