import type { PoolClient } from 'pg';
import type { DeliveryStatus } from '#contract/jobs.ts';
import { recipientKey, type Target } from '#domain/recipients.ts';
import * as sql from '#engine/claim.sql.ts';
import { plainColumn } from '#engine/columns.ts';
import { type ClaimedJob, isFinal, type LiveDelivery, type Run } from '#engine/run.ts';

/** A row that the claim writes for a recipient who has none yet. */
export type NewRow = { id: string; job: ClaimedJob; target: Target; status: DeliveryStatus; reason: string | null };

/** Who is the same recipient on the same channel, however the address is written. */
export const ledgerKey = (row: { channel: string; recipient: string }) =>
  `${row.channel} ${recipientKey(row.recipient)}`;

type LedgerRow = LiveDelivery & { status: DeliveryStatus; next_attempt_at: string | null; reason: string | null };

/**
 * Takes over what earlier runs of the job left: final rows count, due ones queue up, later ones keep waiting. What is
 * open for somebody who is no longer among the targets (null: for nobody at all) is skipped. Returns whom the ledger
 * knows.
 */
export async function takeOverLedger(
  client: PoolClient,
  {
    run,
    targets,
    refusal,
    now,
  }: { run: Run; targets: readonly Target[]; refusal: string | null; now: Temporal.Instant },
): Promise<Set<string>> {
  const { rows } = await client.query<LedgerRow>({ ...sql.ledgerOf, values: [[run.job.id], [run.job.scheduled_for]] });
  const wanted = new Set(targets.map(ledgerKey));
  const dropped = rows.filter((row) => !isFinal(row.status) && !wanted.has(ledgerKey(row)));
  const reason = refusal ?? 'No longer among the recipients';
  if (dropped.length > 0) {
    await client.query({
      ...sql.skipSome,
      values: [
        run.job.id,
        run.job.scheduled_for,
        dropped.map((row) => row.channel),
        dropped.map((row) => row.recipient),
        reason,
        now.toString(),
      ],
    });
  }
  for (const row of rows) takeOver(run, dropped.includes(row) ? { ...row, status: 'skipped', reason } : row, now);
  return new Set(rows.map(ledgerKey));
}

function takeOver(run: Run, row: LedgerRow, now: Temporal.Instant): void {
  if (isFinal(row.status)) {
    run.tally[row.status] = (run.tally[row.status] ?? 0) + 1;
    if (row.status === 'skipped') run.lastSkip = row.reason;
    else if (row.status !== 'accepted' && row.status !== 'delivered') run.lastFailure = row.reason;
    return;
  }
  const nextAttemptAt = row.next_attempt_at === null ? now : Temporal.Instant.from(row.next_attempt_at);
  if (Temporal.Instant.compare(nextAttemptAt, now) <= 0) {
    const { id, channel, recipient, recipient_name, attempts, unknowns } = row;
    run.queued.push({ id, channel, recipient, recipient_name, attempts, unknowns });
  } else if (run.nextAttemptAt === null || Temporal.Instant.compare(nextAttemptAt, run.nextAttemptAt) < 0) {
    run.nextAttemptAt = nextAttemptAt;
  }
}

/** The statement that writes the new rows; those that start at once carry attempt 1. Null when there are none. */
export function ledgerStatement(rows: readonly NewRow[], now: Temporal.Instant) {
  if (rows.length === 0) return null;
  return {
    ...sql.insertDeliveries,
    values: [
      plainColumn(rows, (row) => row.id),
      plainColumn(rows, (row) => row.job.workspace_id),
      plainColumn(rows, (row) => row.job.id),
      plainColumn(rows, (row) => row.job.scheduled_for),
      plainColumn(rows, (row) => row.target.channel),
      rows.map((row) => row.target.recipient),
      rows.map((row) => row.target.recipient_name),
      plainColumn(rows, (row) => row.status),
      rows.map((row) => row.reason),
      now.toString(),
    ],
  };
}
