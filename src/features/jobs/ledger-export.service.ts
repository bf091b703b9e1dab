import { missingNameIn } from '#domain/reason-values.ts';
import { findLedger, type LedgerLine, type LedgerMatches } from '#features/jobs/ledger.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { type CsvColumns, csvLine, csvResponse } from '#platform/csv-stream.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';
import type { Listed } from '#platform/page.ts';

const rowsAtOnce = 1_000;

const columns: CsvColumns<LedgerLine> = {
  Job: (line) => line.job_name,
  'Job id': (line) => line.job_id,
  Type: (line) => line.job_type,
  'Scheduled for (UTC)': (line) => line.scheduled_for,
  Channel: (line) => line.channel,
  Recipient: (line) => line.recipient,
  Name: (line) => line.recipient_name,
  Result: (line) => line.status,
  Attempts: (line) => line.attempts,
  'First attempt (UTC)': (line) => line.first_attempt_at,
  'Last attempt (UTC)': (line) => line.last_attempt_at,
  'Completed (UTC)': (line) => line.completed_at,
  Details: (line) => line.reason,
  'Reason code': (line) => line.reason_code,
  Provider: (line) => line.provider,
  'Provider answer': (line) => line.provider_answer,
  'Provider id': (line) => line.provider_id,
  Through: (line) => line.through,
  'By preference': (line) => (line.by_preference ? 'yes' : null),
  'Missing value': (line) => missingNameIn(line.reason_params),
};

/** The deliveries of a range as CSV, one line each. Every page is read in its own transaction while the file is sent. */
export async function exportLedger(ctx: TenantContext, matches: LedgerMatches): Promise<AfterCommit<Response>> {
  const { workspaceId } = ctx;
  const details = { from: matches.from ?? null, to: matches.to ?? null };
  await recordAct(ctx, { action: 'export.ledger', target: workspaceId, details });
  return new AfterCommit(async (again) =>
    csvResponse({
      name: 'deliveries.csv',
      head: Object.keys(columns),
      pages: pagesOf(matches, { workspaceId, again }),
    }),
  );
}

async function* pagesOf(matches: LedgerMatches, { workspaceId, again }: { workspaceId: string; again: InTransaction }) {
  let after: LedgerLine | null = null;
  for (let isMore = true; isMore; ) {
    const from: LedgerLine | null = after;
    const page: Listed<LedgerLine> = await again((db) =>
      findLedger(db, { ...matches, workspaceId, after: from, limit: rowsAtOnce }),
    );
    yield page.rows.map((line) => csvLine(columns, line));
    after = page.rows.at(-1) ?? null;
    isMore = page.isMore;
  }
}
