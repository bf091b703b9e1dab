import type { FrequencyCap } from '#contract/frequency-cap.ts';
import { capDayAt, isCapped } from '#domain/frequency-cap.ts';
import type { ClaimDecision, Started } from '#engine/run/claim-decision.ts';
import { recipientKey } from '#domain/recipients.ts';
import { type Evidence, lineOf } from '#simulation/evidence.ts';
import type { EventOf } from '#simulation/history.ts';

type Row = { job: { id: string }; channel: Started['begun'][number]['channel']; recipient: string };
type Deferred = Row & { untilMs: number };

/**
 * No address is let have more messages on a day than the cap says, over all workers and crashes, and nothing is waiting back while there is room. Counted here
 * from the claims alone: a message counts for the day of the claim that lets it begin.
 */
export function checkCaps({ events, scenario }: Evidence): string[] {
  const caps = new Map(
    scenario.workspaces.flatMap(({ id, frequency_cap: cap }) => (cap === null ? [] : [[id, cap] as const])),
  );
  if (caps.size === 0) return [];
  const counts = new Map<string, number>();
  const waiting = new Map<string, Deferred>();
  return events.flatMap((event) => {
    if (event.kind === 'act' && event.act.kind === 'job' && event.act.action === 'retry') {
      const { jobId } = event.act;
      for (const [line, { job }] of waiting) if (job.id === jobId) waiting.delete(line);
    }
    if (event.kind !== 'claim') return [];
    return event.claim.started.flatMap(({ run, begun }) => {
      const cap = caps.get(run.job.workspace_id);
      if (cap === undefined || run.work.occasion !== 'reminder' || run.work.isUrgent || run.isRequired) return [];
      return ofRun(event, { started: { run, begun }, cap, counts, waiting });
    });
  });
}

type OfRun = { started: Started; cap: FrequencyCap; counts: Map<string, number>; waiting: Map<string, Deferred> };

function ofRun(
  { claim, request }: EventOf<'claim'>,
  { started: { run, begun }, cap, counts, waiting }: OfRun,
): string[] {
  const { id: jobId, workspace_id: workspaceId } = run.job;
  const nowMs = request.now.epochMilliseconds;
  const { week, day } = capDayAt(cap, request.now);
  const keyOf = ({ channel, recipient }: Row) => [workspaceId, channel, recipientKey(recipient), week, day].join(' ');
  const own = <One extends { job: { id: string } }>(rows: readonly One[]) => rows.filter(({ job }) => job.id === jobId);
  const kept = new Set([...own(claim.closed), ...own(claim.deferred)].map(linePlain));
  const due = [...waiting].filter(([line, row]) => row.job.id === jobId && row.untilMs <= nowMs && !kept.has(line));
  for (const [line] of due) waiting.delete(line);
  const counted = [
    ...begun.map((one) => ({ ...one, job: { id: jobId } })),
    ...own(claim.rows).filter(({ status }) => status === 'queued'),
    ...due.map(([, row]) => row),
  ].filter(isCapped);
  for (const row of counted) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  for (const { at, row } of waitingIn(claim, jobId)) waiting.set(linePlain(row), { ...row, untilMs: Date.parse(at) });
  const most = cap.perDay ?? Number.POSITIVE_INFINITY;
  const notFull = refusedIn(claim, jobId).filter((row) => (counts.get(keyOf(row)) ?? 0) < most);
  return [
    ...counted
      .filter((row) => (counts.get(keyOf(row)) ?? 0) > most)
      .map((row) => `${linePlain(row)} is one too many on its day`),
    ...notFull.map((row) => `${linePlain(row)} was kept waiting, although there was room`),
  ];
}

const linePlain = ({ job, channel, recipient }: { job: { id: string }; channel: string; recipient: string }) =>
  lineOf({ jobId: job.id, channel, recipient });

function waitingIn({ rows, deferred }: ClaimDecision, jobId: string): { at: string; row: Row }[] {
  return [...rows, ...deferred].flatMap((row) => {
    const at = 'at' in row ? row.at : row.status === 'waiting' ? row.next_attempt_at : null;
    return row.job.id !== jobId || at === null ? [] : [{ at, row: { ...row, channel: row.channel as Row['channel'] } }];
  });
}

/** What found no room: it waits, or is skipped. */
function refusedIn({ rows, deferred, closed }: ClaimDecision, jobId: string): Row[] {
  const codeOf = (row: (typeof rows | typeof deferred | typeof closed)[number]) =>
    'code' in row ? row.code : (row.reason?.code ?? null);
  return [...rows, ...deferred, ...closed]
    .filter((row) => row.job.id === jobId && ['waiting_for_cap', 'over_cap'].includes(codeOf(row) ?? ''))
    .map((row) => ({ ...row, channel: row.channel as Row['channel'] }));
}
