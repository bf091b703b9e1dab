import { sql } from 'kysely';
import type { z } from 'zod';
import type { JobType } from '#contract/job-types.ts';
import type { ReminderMetadata } from '#contract/reminders.ts';
import type { Db } from '#platform/database.ts';
import { readPage } from '#platform/page.ts';
import { containing } from '#platform/pattern.ts';

type Scope = { workspaceId: string };

/** An address in a spelling that the ledger may have. `owner` is the contact that it belongs to, if any. */
export type SoughtAddress = { address: string; owner: string | null };

/** Only deliveries of jobs scheduled in [from, to) are searched. */
export type LedgerWindow = { from?: string | undefined; to?: string | undefined };

/** The jobs with a delivery to these contacts and addresses, newest first. */
export async function findJobsToPeople(
  db: Db,
  {
    contactIds,
    addresses,
    from,
    to,
    each,
    limit,
  }: Scope &
    LedgerWindow & {
      contactIds: readonly string[];
      addresses: readonly SoughtAddress[];
      /** How many deliveries of each contact or address are read at most. */
      each: number;
      limit: number;
    },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from jobs_to_people(
      ${contactIds}::uuid[], ${addresses.map(({ address }) => address)}::text[], ${addresses.map(({ owner }) => owner)}::uuid[],
      ${from ?? null}, ${to ?? null}, ${each}, ${limit}) as id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Jobs that have not ended, soonest first, with their recipients: at most `limit` of each status, and what fits into a page. */
export async function findUnfinishedJobs(db: Db, { workspaceId, limit }: Scope & { limit: number }) {
  const query = db
    .selectFrom('jobs as j')
    .leftJoin('reminders as r', (join) =>
      join.onRef('r.id', '=', 'j.reminder_id').onRef('r.workspace_id', '=', 'j.workspace_id'),
    )
    .where('j.workspace_id', '=', workspaceId)
    .where(
      sql<boolean>`j.id = any (array(
        (select job_id from queue where workspace_id = ${workspaceId} order by run_at, job_id limit ${limit})
        union all
        (select id from running_jobs() as id limit ${limit})
        union all
        (select id from jobs where workspace_id = ${workspaceId} and paused_at is not null order by id desc limit ${limit})))`,
    )
    .select(['j.id', 'j.type'])
    .select([
      sql<unknown>`case when j.type <> 'reminder' then coalesce(
        (select p.payload from event_payloads p where p.event_id = j.event_id), j.payload) -> 'recipients' end`.as(
        'own',
      ),
      sql<string[] | null>`r.content -> 'recipients'`.as('recipients'),
      sql<z.output<typeof ReminderMetadata> | null>`r.metadata`.as('metadata'),
    ])
    .orderBy('j.run_at')
    .orderBy('j.id')
    .limit(3 * limit);
  const { rows } = await readPage<UnfinishedJob>(db, {
    query,
    limit: 3 * limit,
    large: ['own', 'recipients', 'metadata'],
  });
  return rows;
}

/** `own` are the recipients that are stored with the job; `recipients` are those of its reminder. */
type UnfinishedJob = {
  id: string;
  type: JobType;
  own: unknown;
  recipients: string[] | null;
  metadata: z.output<typeof ReminderMetadata> | null;
};

/** The newest jobs whose name contains a text. */
export async function findJobsNamed(
  db: Db,
  { workspaceId, text, to, limit }: Scope & Pick<LedgerWindow, 'to'> & { text: string; limit: number },
): Promise<string[]> {
  const named = await db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('name', 'ilike', containing(text))
    .$if(to !== undefined, (some) => some.where('scheduled_for', '<', to ?? ''))
    .select('id')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return named.map(({ id }) => id);
}
