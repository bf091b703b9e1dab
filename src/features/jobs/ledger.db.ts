import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Delivery, DeliveryStatus } from '#contract/deliveries.ts';
import type { JobType } from '#contract/job-types.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readPage } from '#platform/page.ts';

export type LedgerMatches = {
  /** Only deliveries of jobs scheduled in [from, to). */
  from?: string | undefined;
  to?: string | undefined;
  channel?: ChannelType | undefined;
  status?: DeliveryStatus | undefined;
};

export type LedgerLine = Omit<Delivery, 'id' | 'contact_id' | 'channel_id' | 'next_attempt_at'> & {
  job_name: string;
  job_type: JobType;
  /** The scheduled time of the job, by which the lines are sorted. */
  at: string;
};

/** The deliveries of all jobs in a range, including archived ones, by job and recipient. `after` is the previous page's last line. */
export function findLedger(
  db: Db,
  {
    workspaceId,
    from = '-infinity',
    to = 'infinity',
    channel,
    status,
    after,
    limit,
  }: LedgerMatches & { workspaceId: string; after: LedgerLine | null; limit: number },
): Promise<Listed<LedgerLine>> {
  const isAfter =
    after === null
      ? sql`true`
      : sql`(j.scheduled_for, j.id) >= (${after.at}::timestamptz, ${after.job_id}::uuid)
            and (j.scheduled_for, j.id, d.scheduled_for, d.channel, d.recipient)
              > (${after.at}::timestamptz, ${after.job_id}::uuid, ${after.scheduled_for}::timestamptz, ${after.channel}, ${after.recipient})`;
  return readPage(db, {
    query: sql<LedgerLine>`(
      select j.name as job_name, j.type as job_type, j.scheduled_for as at, d.job_id, d.scheduled_for, d.channel, d.recipient, d.recipient_name,
             d.through, d.by_preference, d.status, d.attempts, d.reason, d.reason_code, d.reason_params, d.provider, d.provider_id, d.provider_answer, d.first_attempt_at, d.last_attempt_at,
             d.completed_at
        from jobs j
        join deliveries d on d.workspace_id = j.workspace_id and d.job_id = j.id
       where j.workspace_id = ${workspaceId}
         and j.scheduled_for >= ${from}::timestamptz and j.scheduled_for < ${to}::timestamptz
         and (${channel ?? null}::text is null or d.channel = ${channel ?? null})
         and (${status ?? null}::text is null or d.status = ${status ?? null})
         and ${isAfter}
       order by j.scheduled_for, j.id, d.scheduled_for, d.channel, d.recipient
       limit ${limit + 1})`,
    limit,
    large: ['recipient', 'reason', 'provider_answer'],
  });
}
