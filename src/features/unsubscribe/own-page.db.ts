import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { JobType } from '#contract/job-types.ts';
import type { PreferableChannel } from '#contract/contacts.ts';
import type { Db } from '#platform/database.ts';
import { readPage } from '#platform/page.ts';

type Scope = { workspaceId: string };

type SentRow = {
  id: string;
  at: string;
  status: DeliveryStatus;
  type: JobType;
  topic: string | null;
  subject: string | null;
};

/** What was sent to an address over a channel since then, newest first. Its subject is that of the day, with its variables. */
export const findSent = (
  db: Db,
  {
    workspaceId,
    spellings,
    channel,
    since,
    before,
    limit,
  }: Scope & {
    spellings: readonly string[];
    channel: ChannelType;
    since: string;
    before: string | null;
    limit: number;
  },
) =>
  readPage(db, {
    query: sql<SentRow>`(
      select f.id, coalesce(d.last_attempt_at, d.completed_at, d.scheduled_for) as at, d.status, j.type,
             t.name as topic, left(written.content ->> 'subject', 300) as subject
        from deliveries_to_address(${spellings}::text[], ${channel}, ${since}, ${before}, ${limit + 1}) f
       cross join lateral (
         select * from deliveries d
          where d.workspace_id = ${workspaceId} and d.job_id = f.job_id and d.scheduled_for = f.scheduled_for
            and d.channel = ${channel} and d.recipient = f.recipient
         offset 0) d
        join jobs j on j.workspace_id = ${workspaceId} and j.id = f.job_id
        left join reminders r on r.workspace_id = ${workspaceId} and r.id = j.reminder_id
       cross join lateral (
         select case when j.type in ('reminder', 'event_reminder') then
                       case when r.revision = j.revision then r.content::jsonb
                            else (select x.content::jsonb from reminder_texts x
                                   where x.workspace_id = ${workspaceId} and x.reminder_id = r.id and x.revision = j.revision) end
                     else j.payload::jsonb -> 'content' end as content) written
        left join topics t on t.workspace_id = ${workspaceId} and t.id::text = written.content ->> 'topic_id'
       order by f.id desc)`,
    limit,
    large: ['subject', 'topic'],
  });

/** The contact with this address key, or this number. */
export const findOwnContact = (db: Db, { workspaceId, key }: Scope & { key: string }) =>
  db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where(key.includes('@') ? 'email_key' : 'phone', '=', key)
    .select(['id', 'email', 'phone', 'preferred_channel'])
    .executeTakeFirst();

/** Of these channels those that active reminders name, and those among them that are tried in order with others. */
export async function findNamedChannels(
  db: Db,
  { workspaceId, among }: Scope & { among: readonly PreferableChannel[] },
): Promise<{ channel: PreferableChannel; is_in_order: boolean }[]> {
  const names = (isInOrder: boolean) => sql<boolean>`exists (
    select from reminders r
     where r.workspace_id = ${workspaceId} and r.status = 'active' and (r.metadata -> 'channels')::jsonb ? u.channel
       and (not ${isInOrder} or r.metadata ->> 'channel_mode' = 'in_order'))`;
  const { rows } = await sql<{ channel: PreferableChannel; is_in_order: boolean }>`
    select u.channel, ${names(true)} as is_in_order
      from unnest(${among}::text[]) with ordinality as u (channel, n) where ${names(false)} order by n`.execute(db);
  return rows;
}
