import { findLedger, type LedgerLine, type LedgerMatches } from '#features/jobs/ledger.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { csvResponse } from '#platform/csv-stream.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';
import type { Listed } from '#platform/page.ts';

const rowsAtOnce = 1_000;

const columns = [
  'Job',
  'Job id',
  'Type',
  'Scheduled for (UTC)',
  'Channel',
  'Recipient',
  'Name',
  'Result',
  'Attempts',
  'First attempt (UTC)',
  'Last attempt (UTC)',
  'Completed (UTC)',
  'Details',
  'Reason code',
  'Provider',
  'Provider answer',
  'Provider id',
  'Through',
] as const;

/** The deliveries of a range as CSV, one line each. Every page is read in its own transaction while the file is sent. */
export async function exportLedger(ctx: TenantContext, matches: LedgerMatches): Promise<AfterCommit<Response>> {
  const { workspaceId } = ctx;
  const details = { from: matches.from ?? null, to: matches.to ?? null };
  await recordAct(ctx, { action: 'export.ledger', target: workspaceId, details });
  return new AfterCommit(async (again) =>
    csvResponse({ name: 'deliveries.csv', head: columns, pages: pagesOf(matches, { workspaceId, again }) }),
  );
}

async function* pagesOf(matches: LedgerMatches, { workspaceId, again }: { workspaceId: string; again: InTransaction }) {
  let after: LedgerLine | null = null;
  for (let isMore = true; isMore; ) {
    const from: LedgerLine | null = after;
    const page: Listed<LedgerLine> = await again((db) =>
      findLedger(db, { ...matches, workspaceId, after: from, limit: rowsAtOnce }),
    );
    yield page.rows.map(lineOf);
    after = page.rows.at(-1) ?? null;
    isMore = page.isMore;
  }
}

const lineOf = (line: LedgerLine): string[] => [
  line.job_name,
  line.job_id,
  line.job_type,
  line.scheduled_for,
  line.channel,
  line.recipient,
  line.recipient_name ?? '',
  line.status,
  String(line.attempts),
  line.first_attempt_at ?? '',
  line.last_attempt_at ?? '',
  line.completed_at ?? '',
  line.reason ?? '',
  line.reason_code ?? '',
  line.provider ?? '',
  line.provider_answer ?? '',
  line.provider_id ?? '',
  line.through ?? '',
];
