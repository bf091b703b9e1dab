import { channelIsDisabled, destinationIsBusy, reminderWasEdited, workerWasLost } from '#domain/ledger-reasons.ts';
import { randomUUIDv7 } from 'node:crypto';
import { occasionOf } from '#domain/may-be-sent.ts';
import { recipientKey } from '#domain/recipients.ts';
import { someTopic } from '#simulation/topics.ts';
import type { Outcome } from '#domain/outcome.ts';
import { settle } from '#domain/settle.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import type { FinishRow, OutcomeRow } from '#engine/run/run-result.ts';
import type { ClaimRequest } from '#engine/store.ts';
import {
  type Attempt,
  channelId,
  type ConformanceState,
  someJob,
  workspaceIds,
} from '#simulation/conformance-state.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';
import { ledgerOf } from '#simulation/lines.ts';
import type { Random } from '#simulation/random.ts';
import { isoOf, type Tables } from '#simulation/tables.ts';

export async function claim({ pair, random, now, assumed }: ConformanceState): Promise<void> {
  const request: ClaimRequest = {
    claimId: randomUUIDv7(),
    now,
    leaseUntil: now.add({ seconds: 90 }),
    worker: 'one',
    ...amount({ pair, random, now }),
    except: random.chance(0.2) ? [random.pick(workspaceIds)] : [],
  };
  const made = await pair.claim(request);
  if (made === null) return;
  assumed.claims.push(made);
  for (const { run, begun } of made.started)
    assumed.attempts.push(...begun.map((delivery) => ({ job: run.job, claimId: made.id, claimedAt: now, delivery })));
}

/** When the limit would fall between jobs that are due at the same time, all are taken: SQL may take either. */
function amount({
  pair,
  random,
  now,
}: Pick<ConformanceState, 'pair' | 'random' | 'now'>): Pick<ClaimRequest, 'maxJobs' | 'order'> {
  const due = [...pair.tables.queue.values()].filter(({ run_at }) => run_at <= isoOf(now)).map(({ run_at }) => run_at);
  const isTied = new Set(due).size < due.length;
  const maxJobs = isTied ? 1_000 : random.between(1, 6);
  const awaiting = pair.tables.queue.values().find((row) => row.awaits_audience && row.run_at <= isoOf(now));
  if (awaiting !== undefined && random.chance(0.5))
    return { maxJobs, order: { by: 'audience', workspaceId: awaiting.workspace_id } };
  if (random.chance(0.6)) return { maxJobs, order: { by: 'due' } };
  const perWorkspace = isTied ? 1_000 : random.between(1, 3);
  // Derived, not drawn: a seed keeps its other values.
  const after = workspaceIds[maxJobs % workspaceIds.length] ?? '';
  return { maxJobs, order: { by: 'round_robin', perWorkspace, after } };
}

export async function begin(state: ConformanceState): Promise<void> {
  const { pair, random, now, assumed } = state;
  const open = [...pair.tables.jobs.values()].filter((job) => ledgerOf(pair.tables, job).length > 0);
  const job = random.shuffled(open.filter(({ status }) => status === 'running' || random.chance(0.1)))[0];
  if (job === undefined) return;
  const claimId = random.chance(0.9) ? (job.claim_id ?? randomUUIDv7()) : (assumed.claims[0]?.id ?? randomUUIDv7());
  const chosen = ledgerOf(pair.tables, job)
    .filter(() => random.chance(0.7))
    .map(({ id, channel, recipient, recipient_name, attempts, unknowns, status }) => ({
      id,
      channel,
      recipient,
      recipient_name,
      unknowns,
      attempts: attempts - (status === 'sending' || random.chance(0.1) ? 1 : 0),
    }));
  const owned = { id: job.id, workspaceId: job.workspace_id, scheduledFor: job.scheduled_for, claimId };
  const about = {
    topicId: someTopic(job.workspace_id, { from: job.id + now.toString() }) ?? null,
    occasion: occasionOf(job.type),
  };
  const answer = await pair.run((store) => store.beginAttempts(owned, { chosen, about, now }));
  if ('refused' in answer) return;
  const run = assumed.claims.flatMap(({ started }) => started).find(({ run: { job: own } }) => own.id === job.id)?.run;
  if (run === undefined) return;
  for (const { channel, recipient, attempts } of answer.begun) {
    const delivery = chosen.find((one) => one.channel === channel && one.recipient === recipient);
    if (delivery !== undefined)
      assumed.attempts.push({ job: run.job, claimId, claimedAt: now, delivery: { ...delivery, attempts } });
  }
}

/** Outcomes of the assumed attempts, some of them late, repeated, or of jobs that others own. */
export async function record({ pair, random, now, assumed }: ConformanceState): Promise<void> {
  const attempts = random.shuffled(assumed.attempts).slice(0, random.between(0, 5));
  if (random.chance(0.8)) assumed.attempts = assumed.attempts.filter((one) => !attempts.includes(one));
  const outcomes = attempts.map((attempt) => outcomeOf(attempt, { random, now }));
  const claims = random.shuffled(assumed.claims).slice(0, random.between(0, 2));
  const finishes = claims.flatMap(({ id, started }) =>
    started
      .filter(() => random.chance(0.7))
      .map(({ run }) =>
        asOnlyOutcome(finishOf(run.job, { claimId: id, random, now }), { outcomes, tables: pair.tables }),
      ),
  );
  const endedClaims = claims.filter(() => random.chance(0.5)).map(({ id }) => id);
  await pair.run((store) => store.record({ now, outcomes, finishes, endedClaims, workspaceIds: [...workspaceIds] }));
}

function outcomeOf(
  { job, claimId, claimedAt, delivery }: Attempt,
  { random, now }: { random: Random; now: Temporal.Instant },
): OutcomeRow {
  const outcome = random.pick<Outcome | null>([
    { outcome: 'accepted', receipt: 'r-1', answer: 'HTTP 200' },
    { outcome: 'failed', reason: 'HTTP 404', permanent: true },
    { outcome: 'failed', reason: 'HTTP 503', permanent: false },
    { outcome: 'unknown', reason: 'Sent, but not answered' },
    { outcome: 'skipped', ...channelIsDisabled('webhook') },
    null,
  ]);
  const at = now.add({ seconds: random.between(1, 600) });
  const settled =
    outcome === null
      ? {
          status: 'waiting' as const,
          ...destinationIsBusy,
          params: null,
          receipt: null,
          answer: null,
          nextAttemptAt: at,
          isUnknown: false,
        }
      : settle(outcome, {
          channel: delivery.channel,
          attempt: delivery.attempts,
          unknowns: delivery.unknowns,
          nowMs: now.epochMilliseconds,
          expiresAtMs: now.epochMilliseconds + 5 * 3_600_000,
          random: 0.5,
        });
  const wasMade = outcome !== null && outcome.outcome !== 'skipped';
  return {
    job,
    claimId,
    delivery,
    settled,
    channelId: null,
    provider: 'http',
    contentHash: 'hash',
    beganAt: wasMade ? (random.chance(0.7) ? claimedAt : now.subtract({ seconds: 1 })) : null,
  };
}

function finishOf(
  { id }: ClaimedJob,
  { claimId, random, now }: { claimId: string; random: Random; now: Temporal.Instant },
): FinishRow {
  const status = random.pick(['completed', 'failed', 'cancelled', 'pending']);
  return {
    jobId: id,
    claimId,
    status,
    ifStopped: random.pick(['completed', 'failed', 'cancelled']),
    runAt: status === 'pending' ? now.add({ seconds: random.between(1, 3_600) }) : null,
    code: status === 'cancelled' ? random.pick([null, 'suppressed', 'over_plan']) : null,
    message: random.pick([null, '1 of 2 failed']),
    startedAt: now.subtract({ seconds: random.between(1, 50) }),
    // Derived, not drawn: a seed keeps its other values.
    rows: id.charCodeAt(id.length - 1) % 2,
    logs: random.chance(0.2) ? null : { attempt: 1, accepted: 1 },
    onlyOutcome: null,
  };
}

/** Whether the ledger has no row of another recipient of the job. */
const isAlone = ({ job, delivery }: Pick<OutcomeRow, 'job' | 'delivery'>, tables: Tables) =>
  [...(tables.deliveries.get(job.id)?.values() ?? [])].every(
    ({ channel, recipient }) => channel === delivery.channel && recipient === delivery.recipient,
  );

/** A run that was one first attempt, whether or not the ledger has its row already. It is kept on the job's row if it began with its claim. */
function asOnlyOutcome(
  finish: FinishRow,
  { outcomes, tables }: { outcomes: readonly OutcomeRow[]; tables: Tables },
): FinishRow {
  const [outcome, ...others] = outcomes.filter(({ job }) => job.id === finish.jobId);
  const isWhole =
    outcome !== undefined &&
    others.length === 0 &&
    outcome.claimId === finish.claimId &&
    outcome.delivery.attempts === 1 &&
    outcome.settled.status !== 'waiting' &&
    isAlone(outcome, tables);
  if (!isWhole || outcome.beganAt === null) return finish;
  const logs = finish.logs === null ? null : { attempt: 1, attempted: 1, [outcome.settled.status]: 1 };
  return { ...finish, startedAt: outcome.beganAt, logs, onlyOutcome: outcome };
}

/** A run that is kept on its job's row, and sometimes a retry, which changes the row. */
export async function endRun({ pair, random, now, assumed }: ConformanceState): Promise<void> {
  const isOwned = ({ job, claimId, delivery }: Attempt) =>
    delivery.attempts === 1 &&
    pair.tables.jobs.get(job.id)?.claim_id === claimId &&
    isAlone({ job, delivery }, pair.tables);
  const [attempt] = random.shuffled(assumed.attempts.filter(isOwned));
  if (attempt === undefined) return;
  const { job, claimId, claimedAt, delivery } = attempt;
  assumed.attempts = assumed.attempts.filter((one) => one !== attempt);
  const status = random.pick(['accepted', 'failed', 'failed', 'unknown'] as const);
  const isUnknown = status === 'unknown';
  const code = status === 'accepted' ? null : isUnknown ? ('unconfirmed' as const) : ('no_such_url' as const);
  const reason = code === null ? null : 'HTTP 404';
  const settled = { status, code, params: null, reason, receipt: null, answer: null, nextAttemptAt: null, isUnknown };
  const sent = { channelId: null, provider: 'http', contentHash: 'hash', beganAt: claimedAt };
  const outcome: OutcomeRow = { job, claimId, delivery, settled, ...sent };
  const result = status === 'accepted' ? 'completed' : 'failed';
  const finish: FinishRow = {
    jobId: job.id,
    claimId,
    status: result,
    ifStopped: result,
    runAt: null,
    code: null,
    message: reason,
    startedAt: claimedAt,
    rows: 1,
    logs: { attempt: 1, attempted: 1, [status]: 1 },
    onlyOutcome: outcome,
  };
  const batch = { now, outcomes: [outcome], finishes: [finish], endedClaims: [], workspaceIds: [...workspaceIds] };
  await pair.run((store) => store.record(batch));
  const ended = pair.tables.jobs.get(job.id);
  if (ended?.status !== 'failed' || random.chance(0.4)) return;
  await pair.act({ kind: 'job', workspaceId: ended.workspace_id, jobId: ended.id, action: 'retry' }, now);
}

export async function rescue({ pair, random, now }: ConformanceState): Promise<void> {
  await pair.run((store) => store.openClaims());
  const [open] = random.shuffled([...pair.tables.claims.values()]);
  if (open === undefined) return;
  // The lease as it is, or as it was before it was extended.
  const leaseUntil = random.chance(0.7) ? open.lease_until : isoOf(now.subtract({ seconds: 1 }));
  await pair.rescue({ claim: { id: open.id, leaseUntil }, now }, (attempt) =>
    settle(
      { outcome: 'unknown', ...workerWasLost },
      {
        channel: attempt.channel,
        attempt: attempt.attempts,
        unknowns: attempt.unknowns,
        nowMs: now.epochMilliseconds,
        random: 0.5,
        expiresAtMs: now.epochMilliseconds + (attempt.is_cancelled ? 0 : 3_600_000),
        prefersMiss: attempt.prefers_miss,
      },
    ),
  );
}

/** Sometimes after a claim was lost, whose jobs still run. */
export async function restoreClaims({ pair, random, now }: ConformanceState): Promise<void> {
  const [open] = random.shuffled([...pair.tables.claims.keys()]);
  if (open !== undefined && random.chance(0.7)) await pair.loseClaim(open);
  await pair.run((store) => store.restoreClaims({ after: nilUuid, now }));
}

export async function ask({ pair, random, now, assumed }: ConformanceState): Promise<void> {
  const [known] = random.shuffled(assumed.claims);
  const claimId = known?.id ?? randomUUIDv7();
  await pair.run((store) => store.nextDue([]));
  await pair.run((store) => store.nextDue([workspaceIds[1]]));
  for (const except of [[], [workspaceIds[1]]])
    await pair.run((store) => store.awaitingAudience({ now, except, after: workspaceIds[0] }));
  const waiting = [...pair.tables.deliveries.values()]
    .flatMap((ofJob) => [...ofJob.values()])
    .map(({ job_id: jobId, workspace_id: workspaceId, channel, recipient }) => ({
      jobId,
      workspaceId,
      channel,
      key: recipientKey(recipient),
      topicId: someTopic(workspaceId, { from: jobId + recipient }) ?? null,
      occasion: random.pick(['reminder', 'reminder', 'reminder', 'test', 'requested'] as const),
    }));
  await pair.run((store) => store.stillOwned(claimId, { waiting, now }));
  await pair.run((store) => store.extendLeases([claimId, randomUUIDv7()], now.add({ seconds: 90 })));
  for (const id of pair.tables.jobs.keys()) await pair.run((store) => store.jobState(id));
}

/** Rates whose slots fall on whole milliseconds. */
export async function rateLimit({ pair, random, now }: ConformanceState): Promise<void> {
  const channel = { id: channelId, workspaceId: workspaceIds[0], ratePerSecond: random.pick([1, 2, 5]) };
  const count = random.between(1, 8);
  for (let asked = 0; asked < 3; asked += 1)
    await pair.run((store) => store.takeTimes(channel, { count, now: now.add({ milliseconds: asked * 300 }) }));
  const until = now.add({ milliseconds: random.between(0, 400_000) });
  if (random.chance(0.5)) await pair.run((store) => store.backOffChannel(channel, until));
}

export async function scheduleMissing({ pair, random, now }: ConformanceState): Promise<void> {
  const only = random.pick(['paused', 'every']);
  const after = nilUuid;
  const found = await pair.run((store) => store.withoutNext({ after, now, only }));
  if ('refused' in found) return;
  const nextOccurrences = found.reminders.map(({ id, workspace_id, name, revision }) => ({
    workspaceId: workspace_id,
    reminderId: id,
    name,
    revision,
    maxAttempts: 8,
    at: now.add({ minutes: 30 }).round('minute').toString(),
  }));
  await pair.run((store) => store.schedule([...nextOccurrences, ...nextOccurrences.slice(0, 1)]));
}

export async function skipOpen(state: ConformanceState): Promise<void> {
  const job = someJob(state);
  if (job === undefined) return;
  const owned = { id: job.id, workspaceId: job.workspace_id, scheduledFor: job.scheduled_for, claimId: randomUUIDv7() };
  await state.pair.run((store) => store.skipOpen(owned, { ...reminderWasEdited, now: state.now }));
}
