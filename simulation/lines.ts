import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { EndedRow } from '#engine/run/live-delivery.ts';
import { type DeliveryRow, isoOf, type JobRow, refusedByDatabase, type Tables } from '#simulation/tables.ts';

/** The rest of the ledger's key after the job. */
export const lineOf = (row: { scheduled_for: string; channel: string; recipient: string }) =>
  `${row.scheduled_for} ${row.channel} ${row.recipient}`;

export const isOpen = (row: { status: DeliveryStatus }) => row.status === 'queued' || row.status === 'waiting';

/** The ledger of one job at its present time. */
export const ledgerOf = (tables: Tables, job: Pick<JobRow, 'id' | 'scheduled_for'>): DeliveryRow[] =>
  [...(tables.deliveries.get(job.id)?.values() ?? [])].filter((row) => row.scheduled_for === job.scheduled_for);

export function lineIn(
  tables: Tables,
  of: { job: Pick<JobRow, 'id' | 'scheduled_for'>; channel: string; recipient: string },
): DeliveryRow | undefined {
  const { job, channel, recipient } = of;
  return tables.deliveries.get(job.id)?.get(lineOf({ scheduled_for: job.scheduled_for, channel, recipient }));
}

export function putLine(tables: Tables, row: DeliveryRow): void {
  const ofJob = tables.deliveries.get(row.job_id);
  if (ofJob === undefined) tables.deliveries.set(row.job_id, new Map([[lineOf(row), row]]));
  else if (ofJob.has(lineOf(row))) throw refusedByDatabase('23505', `${lineOf(row)} is in the ledger already`);
  else ofJob.set(lineOf(row), row);
}

export const newLine = (
  row: Pick<
    DeliveryRow,
    'id' | 'workspace_id' | 'job_id' | 'scheduled_for' | 'channel' | 'recipient' | 'recipient_name' | 'status'
  > &
    Partial<DeliveryRow>,
): DeliveryRow => ({
  attempts: 0,
  unknowns: 0,
  reason: null,
  reason_code: null,
  reason_params: null,
  channel_id: null,
  provider: null,
  provider_id: null,
  provider_answer: null,
  content_hash: null,
  first_attempt_at: null,
  last_attempt_at: null,
  next_attempt_at: null,
  completed_at: null,
  contact_id: null,
  through: null,
  by_preference: false,
  has_failed_late: false,
  ...row,
});

export const asEnded = ({ channel, recipient, status, reason, reason_code }: DeliveryRow): EndedRow => ({
  channel,
  recipient,
  status,
  reason,
  reason_code,
});

/** Ends open rows unsent. One that may have arrived becomes unknown, with its own reason. Returns the ended rows. */
export function skipLines(
  rows: readonly DeliveryRow[],
  { code, reason, now }: { code: ReasonCode | null; reason: string; now: Temporal.Instant },
): EndedRow[] {
  const open = rows.filter(isOpen);
  for (const row of open) {
    const end =
      row.unknowns > 0 ? { status: 'unknown' } : { status: 'skipped', reason, reason_code: code, reason_params: null };
    Object.assign(row, { ...end, has_failed_late: false, completed_at: isoOf(now), next_attempt_at: null });
  }
  return open.map(asEnded);
}
