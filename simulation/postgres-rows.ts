import type { Client } from 'pg';
import { hasFailedLate } from '#engine/postgres/queue.sql.ts';
import type { ChannelRow } from '#engine/run/routes.ts';
import { topicsOf } from '#simulation/topics.ts';
import { isoOf, type Rows, type WorkspaceRow } from '#simulation/tables.ts';

const columns: Record<keyof Rows, { from: string; columns: string; by: string }> = {
  jobs: {
    from: 'jobs',
    columns: `id, workspace_id, reminder_id, name, type, status, scheduled_for, run_at, expires_at, attempts, max_attempts, revision,
              payload, error_message, stop_reason, reason_code, claim_id, started_at, completed_at, paused_at`,
    by: 'id',
  },
  queue: { from: 'queue', columns: 'job_id, workspace_id, run_at, awaits_audience', by: 'job_id, run_at' },
  claims: { from: 'claims', columns: 'id, worker, lease_until, job_ids, begun, created_at', by: 'id' },
  deliveries: {
    from: 'deliveries d',
    columns: `id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, unknowns, reason, reason_code, reason_params, channel_id,
              provider, provider_id, provider_answer, content_hash, first_attempt_at, last_attempt_at, next_attempt_at, completed_at, contact_id, through, by_preference, ${hasFailedLate} as has_failed_late`,
    by: 'job_id, scheduled_for, channel, recipient',
  },
  executions: {
    from: 'executions',
    columns: 'workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message, logs',
    by: 'job_id, completed_at, started_at, logs::text',
  },
  reminders: {
    from: 'reminders',
    columns: 'id, workspace_id, name, status, schedule_config, content, metadata, revision',
    by: 'id',
  },
  usage: { from: 'monthly_usage', columns: 'workspace_id, month, occurrences', by: 'workspace_id, month' },
};

const everything = `select json_build_object(${Object.entries(columns)
  .map(
    ([name, { from, columns: list, by }]) =>
      `'${name}', (select coalesce(json_agg(row_to_json(t)), '[]') from (select ${list} from ${from} order by ${by}) t)`,
  )
  .join(', ')}) as rows`;

/** Everything in the database that the model has as well. */
export async function readRows(owner: Client): Promise<Rows> {
  const { rows } = await owner.query<{ rows: Rows }>(everything);
  return JSON.parse(JSON.stringify(rows[0]?.rows), (_, value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/.test(value) ? isoOf(value) : value,
  );
}

/** An empty product with these workspaces and channels. */
export async function seedDatabase(
  owner: Client,
  { workspaces, channels }: { workspaces: readonly WorkspaceRow[]; channels: readonly ChannelRow[] },
): Promise<void> {
  await owner.query("set timezone to 'UTC'");
  await owner.query('truncate jobs, queue, claims, deliveries, job_executions, monthly_usage, workspaces cascade');
  for (const { id, name, tier, trial_ends_at, misfire, ...more } of workspaces) {
    const settings = {
      misfire,
      consentFor: more.consent_for,
      ...(more.prefers_miss && { unknownOutcomes: 'prefer_miss' }),
      ...(more.frequency_cap !== null && { frequencyCap: more.frequency_cap }),
    };
    await owner.query(
      `insert into workspaces (id, name, slug, subscription_tier, trial_ends_at, settings) values ($1, $2, $3, $4, $5, $6)`,
      [id, name, id, tier, trial_ends_at, settings],
    );
  }
  for (const topic of workspaces.flatMap(({ id }) => topicsOf(id)))
    await owner.query('insert into topics (id, workspace_id, name, kind, why) values ($1, $2, $3, $4, $5)', [
      topic.id,
      topic.workspace_id,
      topic.id,
      topic.kind,
      topic.kind === 'required' ? 'law' : null,
    ]);
  for (const channel of channels) {
    await owner.query(
      `insert into channels (id, workspace_id, name, type, is_active, configuration, created_at, updated_at, rate_limit_per_second)
       values ($1, $2, 'Own', $3, $4, $5, $6, $6, $7)`,
      [
        channel.id,
        channel.workspace_id,
        channel.type,
        channel.is_active,
        JSON.stringify(channel.configuration),
        channel.updated_at,
        channel.rate_limit_per_second,
      ],
    );
  }
}
