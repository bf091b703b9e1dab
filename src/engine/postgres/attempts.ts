import type { Pool } from 'pg';
import type { ChannelType } from '#contract/channel-types.ts';
import { workspaceIsClosed } from '#domain/ledger-reasons.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { EndedRow, LiveDelivery } from '#engine/run/live-delivery.ts';
import type { OwnedJob } from '#engine/run/claimed-job.ts';
import type { Begun, EngineStore, JobState } from '#engine/store.ts';
import * as sql from './attempts.sql.ts';
import { plainColumn, uuidColumn } from './columns.ts';
import { channelsOf, suppressedAmong } from './lookups.ts';
import { onConnection } from '#platform/transaction.ts';

type Suppressing = { workspace_id: string; consent_for: readonly ChannelType[] };

/** Operations on attempts that begin after their claim, and the checks before them. */
export const attemptOperations = (
  pool: Pool,
): Pick<EngineStore, 'stillOwned' | 'beginAttempts' | 'jobState' | 'skipOpen'> => ({
  async stillOwned(claimId, { waiting, now }) {
    const workspaceIds = [...new Set(waiting.map((one) => one.workspaceId))];
    const jobIds = [...new Set(waiting.map((one) => one.jobId))];
    return onConnection(pool, async (client) => {
      const [, { rows: jobs }, { rows: suppressing }, channels] = await Promise.all([
        client.query('begin'),
        client.query<{ id: string }>({ ...sql.stillOwned, values: [claimId, uuidColumn(jobIds, (id) => id)] }),
        client.query<Suppressing>({ ...sql.suppressing, values: [workspaceIds] }),
        channelsOf(client, workspaceIds),
        client.query('commit'),
      ]);
      const suppressingBy = new Map(suppressing.map((row) => [row.workspace_id, row]));
      const asked = waiting.flatMap((one, at) => {
        const workspace = suppressingBy.get(one.workspaceId);
        if (workspace === undefined) return [];
        return [{ one: { ...one, needsConsent: workspace.consent_for.includes(one.channel) }, at }];
      });
      const found = await suppressedAmong(client, { asked: asked.map(({ one }) => one), now });
      const suppressed = new Map(found.entries().map(([at, skip]) => [asked[at]?.at ?? -1, skip]));
      return { owned: new Set(jobs.map((row) => row.id)), suppressed, channels };
    });
  },

  async beginAttempts(job, { chosen, about: { topicId, occasion }, now }) {
    const keys = chosen.map(({ recipient }) => recipientKey(recipient));
    const { begun, channels } = await onConnection(pool, async (client) => {
      const [, , { rows: started }, channels] = await Promise.all([
        client.query('begin'),
        client.query({
          ...sql.skipSuppressed,
          values: [
            job.id,
            job.scheduledFor,
            chosen.map((one) => one.channel),
            chosen.map((one) => one.recipient),
            keys,
            now.toString(),
            job.workspaceId,
            topicId,
            occasion,
          ],
        }),
        client.query<Begun>({
          ...sql.beginAttempts,
          values: [
            job.id,
            job.claimId,
            chosen.map((one) => one.channel),
            chosen.map((one) => one.recipient),
            chosen.map((one) => one.attempts),
            now.toString(),
            keys,
            job.workspaceId,
            topicId,
            occasion,
          ],
        }),
        channelsOf(client, [job.workspaceId]),
        client.query('commit'),
      ]);
      return { begun: started, channels };
    });
    const ended = begun.length === chosen.length ? [] : await endedAmong(pool, { job, chosen });
    return { begun, ended, channels };
  },

  async jobState(jobId) {
    const { rows } = await pool.query<JobState & { closed: keyof typeof workspaceIsClosed | null }>({
      ...sql.jobState,
      values: [jobId],
    });
    const [row] = rows;
    if (row === undefined) return null;
    const { closed, ...state } = row;
    if (state.stop_reason !== null || closed === null) return state;
    const { code, reason } = workspaceIsClosed[closed];
    return { ...state, stop_reason: reason, reason_code: code };
  },

  async skipOpen(job, { code, reason, now }) {
    const values = [job.id, job.scheduledFor, reason, now.toString(), code];
    return (await pool.query<EndedRow>({ ...sql.skipOpen, values })).rows;
  },
});

async function endedAmong(
  pool: Pool,
  { job, chosen }: { job: OwnedJob; chosen: readonly LiveDelivery[] },
): Promise<EndedRow[]> {
  const values = [
    job.id,
    job.scheduledFor,
    plainColumn(chosen, (one) => one.channel),
    chosen.map((one) => one.recipient),
  ];
  return (await pool.query<EndedRow>({ ...sql.endedAmong, values })).rows;
}
