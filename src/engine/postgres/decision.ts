import type { QueryConfig } from 'pg';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import type { ClaimRequest } from '#engine/store.ts';
import * as sql from './decision.sql.ts';
import { paramsColumn, plainColumn } from './columns.ts';
import { monthOf } from './month.ts';
import { missingOccurrencesStatement, nextOccurrencesStatement } from './occurrences.ts';

/**
 * The writes of a claim, in lock order.
 * @param isRepeated after a unique violation, because a next occurrence was there already
 */
export function decisionStatements(
  claim: ClaimDecision,
  { request, isRepeated }: { request: ClaimRequest; isRepeated: boolean },
) {
  const begun = claim.started.flatMap(({ run, begun: deliveries }) =>
    deliveries.map((one) => [one.id, run.job.id, one.channel, one.recipient, one.recipient_name]),
  );
  const now = request.now.toString();
  const occurrenceStatement = isRepeated ? missingOccurrencesStatement : nextOccurrencesStatement;
  const writes: QueryConfig<unknown[]>[] = [];
  if (claim.started.length > 0) {
    const jobIds = plainColumn(claim.started, ({ run }) => run.job.id);
    const values = [claim.id, request.worker, request.leaseUntil.toString(), jobIds, JSON.stringify(begun), now];
    writes.push({ ...sql.insertClaim, values });
  }
  if (claim.left.length > 0) writes.push({ ...sql.leaveJobs, values: [claim.left, now] });
  if (claim.nextOccurrences.length > 0) writes.push(occurrenceStatement(claim.nextOccurrences));
  if (claim.rows.length > 0) writes.push(newRowsStatement(claim.rows, now));
  if (claim.closed.length > 0) writes.push(closedRowsStatement(claim.closed, now));
  if (claim.reopened.length > 0) writes.push({ ...sql.reopenRows, values: keysOf(claim.reopened) });
  if (claim.continued.length > 0) {
    const reasons = claim.continued.map((row) => row.reason);
    const values = [...keysOf(claim.continued), reasons, paramsColumn(claim.continued, (row) => row.params)];
    writes.push({ ...sql.continueRows, values });
  }
  if (claim.deferred.length > 0) writes.push(deferredRowsStatement(claim.deferred));
  if (claim.extended.length > 0) writes.push(extendStatement(claim.extended));
  if (claim.notices.length > 0) writes.push(noticesStatement(claim.notices, now));
  if (claim.usage.length > 0) {
    const values = [
      claim.usage.map((one) => one.workspaceId),
      monthOf(request.now),
      claim.usage.map((one) => one.occurrences),
    ];
    writes.push({ ...sql.countUsage, values });
  }
  if (claim.demoUse.length > 0) writes.push(demoUseStatement(claim.demoUse, now));
  return writes;
}

const demoUseStatement = (use: ClaimDecision['demoUse'], now: string) => ({
  ...sql.countDemoUse,
  values: [
    use.map((one) => one.workspaceId),
    use.map((one) => one.counted),
    use.map((one) => one.sent),
    use.map((one) => one.isSpent),
    now,
  ],
});

const noticesStatement = (notices: ClaimDecision['notices'], now: string) => ({
  ...sql.insertNotices,
  values: [
    notices.map((one) => one.workspaceId),
    notices.map((one) => one.jobId),
    notices.map((one) => one.name),
    notices.map((one) => one.scheduledFor),
    notices.map((one) => one.timezone),
    notices.map((one) => one.reason),
    notices.map((one) => one.kind),
    now,
  ],
});

const newRowsStatement = (rows: ClaimDecision['rows'], now: string) => ({
  ...sql.insertRows,
  values: [
    plainColumn(rows, (row) => row.id),
    plainColumn(rows, (row) => row.job.workspace_id),
    plainColumn(rows, (row) => row.job.id),
    plainColumn(rows, (row) => row.job.scheduled_for),
    plainColumn(rows, (row) => row.channel),
    rows.map((row) => row.recipient),
    rows.map((row) => row.recipient_name),
    plainColumn(rows, (row) => row.status),
    rows.map((row) => row.reason?.reason ?? null),
    plainColumn(rows, (row) => row.next_attempt_at),
    now,
    plainColumn(rows, (row) => row.contact_id),
    rows.map((row) => row.through),
    plainColumn(rows, (row) => row.reason?.code ?? null),
    paramsColumn(rows, (row) => row.reason?.params),
    rows.map((row) => row.by_preference),
  ],
});

const keysOf = (rows: ClaimDecision['reopened']) => [
  plainColumn(rows, (row) => row.job.id),
  plainColumn(rows, (row) => row.job.scheduled_for),
  plainColumn(rows, (row) => row.channel),
  rows.map((row) => row.recipient),
];

const deferredRowsStatement = (rows: ClaimDecision['deferred']) => ({
  ...sql.deferRows,
  values: [
    plainColumn(rows, (row) => row.job.id),
    plainColumn(rows, (row) => row.job.scheduled_for),
    plainColumn(rows, (row) => row.channel),
    rows.map((row) => row.recipient),
    plainColumn(rows, (row) => row.at),
    rows.map((row) => row.reason),
    plainColumn(rows, (row) => row.code),
  ],
});

const extendStatement = (jobs: ClaimDecision['extended']) => ({
  ...sql.extendJobs,
  values: [plainColumn(jobs, (one) => one.jobId), plainColumn(jobs, (one) => one.expiresAt)],
});

const closedRowsStatement = (rows: ClaimDecision['closed'], now: string) => ({
  ...sql.closeRows,
  values: [
    plainColumn(rows, (row) => row.job.id),
    plainColumn(rows, (row) => row.job.scheduled_for),
    plainColumn(rows, (row) => row.channel),
    rows.map((row) => row.recipient),
    plainColumn(rows, (row) => row.status),
    rows.map((row) => row.reason),
    now,
    plainColumn(rows, (row) => row.code),
    paramsColumn(rows, (row) => row.params),
  ],
});
