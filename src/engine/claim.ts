import { randomUUIDv7 } from 'node:crypto';
import { recipientKey, type Target } from '#domain/recipients.ts';
import {
  type Allowance,
  allowanceOf,
  type Billing,
  countsAgainstPlan,
  limitedTiers,
  overQuota,
} from '#domain/allowance.ts';
import { chainTargets } from '#engine/chain-targets.ts';
import { addContacts } from '#engine/contacts.ts';
import { expired, ledgerKey, onSuppressionList, takeOverLedger, waitUntil } from '#engine/ledger.ts';
import { type PreparedJob, prepareJob } from '#engine/prepare.ts';
import { type FindRoute, isPaced, waysOf } from '#engine/routes.ts';
import { type ClaimedJob, isFirstClaim, type LiveDelivery, type Run, type Work } from '#engine/run.ts';
import { keepHours } from '#engine/keep-hours.ts';
import { narrowToSteps } from '#engine/steps.ts';
import {
  type ClaimRequest,
  type ClosedRow,
  type EngineStore,
  type Found,
  type LedgerRow,
  type NewRow,
  type Notice,
  type PostponedRow,
  type Successor,
  suppressionKey,
  type WorkspaceFacts,
} from '#engine/store.ts';
import { successorsOf } from '#engine/successors.ts';

/** A run with the deliveries whose first attempt the claim has begun. */
export type Started = { run: Run; begun: LiveDelivery[] };

/** What a claim decided, and what is written with it. */
export type Claim = {
  id: string;
  started: Started[];
  rows: NewRow[];
  closed: ClosedRow[];
  /** Open rows that are due, and wait on. */
  postponed: PostponedRow[];
  /** Jobs whose time lasts longer than is usual; ISO instants. */
  extended: { jobId: string; expiresAt: string }[];
  successors: Successor[];
  /** Occurrences that count against the plan of this month. */
  usage: { workspaceId: string; occurrences: number }[];
  notices: Notice[];
};

export type ClaimDeps = { store: EngineStore; findRoute: FindRoute; billing: Billing };

/**
 * Takes due jobs, asks of each whether it is still true that it should be sent, and begins the first attempts: at most
 * `limit` of them, the rest of the recipients wait in the ledger.
 */
export const claimDueJobs = (deps: ClaimDeps, request: ClaimRequest): Promise<Claim | null> =>
  deps.store.claim(request, (found) => decide(found, { deps, request }));

async function decide(found: Found, { deps, request }: { deps: ClaimDeps; request: ClaimRequest }): Promise<Claim> {
  const again = found.jobs.filter((job) => !isFirstClaim(job));
  const [{ facts, channels }, ledger] = await Promise.all([
    found.workspaces(limitedTiers(deps.billing)),
    again.length === 0 ? [] : found.ledger(again),
  ]);
  const workspaces = new Map(facts.map((workspace) => [workspace.id, workspace]));
  const prepared = found.jobs.map((job) =>
    prepareJob(job, { now: request.now, exists: workspaces.has(job.workspace_id) }),
  );
  await chainTargets(prepared, { found, workspaces });
  const ledgerOf = Map.groupBy(ledger, (row) => row.job_id);
  const usage = holdToPlans(prepared, {
    workspaces,
    billing: deps.billing,
    now: request.now,
    isCounted: (job) => !isFirstClaim(job) && (job.attempts > 1 || ledgerOf.get(job.id)?.some(wasTried) === true),
  });
  await leaveOutSuppressed(prepared, { found, workspaces });
  const hours = await keepHours(prepared, { found, workspaces, now: request.now });
  const find = deps.findRoute(channels);
  const limited = new Set(channels.flatMap((row) => (row.rate_limit_per_second === null ? [] : [row.workspace_id])));
  const claim: Claim = {
    id: request.claimId,
    started: [],
    rows: [],
    closed: [],
    postponed: [],
    extended: prepared.flatMap(({ job, isExtended, expiresAt }) =>
      isExtended ? [{ jobId: job.id, expiresAt: expiresAt.toString() }] : [],
    ),
    successors: successorsOf(prepared),
    usage,
    notices: prepared.flatMap(noticeOf),
  };
  let budget = request.limit;
  for (const one of prepared) {
    const empty = emptyRun(one, request);
    const run: Run = {
      ...empty,
      companyName: workspaces.get(one.job.workspace_id)?.name ?? '',
      prefersMiss: workspaces.get(one.job.workspace_id)?.prefers_miss ?? false,
      hours: empty.work.isTest ? null : (hours.get(one.job.workspace_id) ?? null),
      ways: waysOf(find, empty),
    };
    const isLimited = limited.has(one.job.workspace_id);
    const begun = openRun(run, {
      one,
      claim,
      ledger: ledgerOf.get(one.job.id) ?? none,
      budget,
      isLimited,
      now: request.now,
    });
    budget -= begun.length;
    claim.started.push({ run, begun });
  }
  await addContacts(claim.started, { found, workspaces });
  return claim;
}

const noticeOf = ({ job, notice, plan }: PreparedJob): Notice[] =>
  notice === null
    ? []
    : [
        {
          jobId: job.id,
          workspaceId: job.workspace_id,
          name: job.name,
          scheduledFor: job.scheduled_for,
          timezone: job.schedule_config?.timezone ?? ('work' in plan ? plan.work.timezone : 'UTC'),
          reason: notice,
        },
      ];

const none: readonly LedgerRow[] = [];

const wasTried = (row: LedgerRow) => row.first_attempt_at !== null;

/** Takes over what earlier runs left, and adds who has no row yet. Returns the attempts that begin now. */
function openRun(
  run: Run,
  {
    one: { job, plan },
    claim,
    ledger,
    budget,
    isLimited,
    now,
  }: {
    one: PreparedJob;
    claim: Claim;
    ledger: readonly LedgerRow[];
    budget: number;
    /** Some channel of the workspace is: what it sends begins once it has its turn, not with the claim. */
    isLimited: boolean;
    now: Temporal.Instant;
  },
): LiveDelivery[] {
  const refusal = 'refusal' in plan ? plan.refusal : null;
  const { targets, ledger: rows } = concernedBy(plan, { run, ledger, closed: claim.closed, now });
  const { closed, postponed } = claim;
  const known = takeOverLedger(run, { ledger: rows, targets, refusal, closed, postponed, now });
  if (refusal !== null) refuse(run, refusal);
  const begun: LiveDelivery[] = [];
  // An occurrence that was put back before it began may be over by now; a first claim looks at that itself.
  const over = !isFirstClaim(job) && Temporal.Instant.compare(now, run.expiresAt) >= 0 ? expired : null;
  for (const target of targets) {
    if (known.size > 0 && known.has(ledgerKey(target))) continue;
    const { channel, recipient, recipient_name } = target;
    const problem = target.problem ?? over;
    const hold = problem === null ? (run.hours?.holdOf(target, now) ?? null) : null;
    const delivery = { id: randomUUIDv7(), channel, recipient, recipient_name, attempts: 0, unknowns: 0 };
    const mayBegin = problem === null && hold === null && !(isLimited && run.ways(channel).some(isPaced));
    if (mayBegin && begun.length < budget) {
      begun.push({ ...delivery, attempts: 1 });
      continue;
    }
    const status = problem !== null ? 'skipped' : hold === null ? 'queued' : 'waiting';
    const reason = problem ?? hold?.reason ?? null;
    const nextAttemptAt = hold?.at.toString() ?? null;
    const row = { id: delivery.id, job, channel, recipient, recipient_name, status, reason } as const;
    claim.rows.push({ ...row, next_attempt_at: nextAttemptAt });
    if (hold !== null) waitUntil(run, hold);
    else if (problem === null) run.queued.push(delivery);
    else {
      run.tally.skipped = (run.tally.skipped ?? 0) + 1;
      run.lastSkip = problem;
    }
  }
  return begun;
}

function concernedBy(
  plan: PreparedJob['plan'],
  { run, ledger, ...at }: { run: Run; ledger: readonly LedgerRow[]; closed: ClosedRow[]; now: Temporal.Instant },
): { targets: readonly Target[]; ledger: readonly LedgerRow[] } {
  if ('refusal' in plan) return { targets: [], ledger };
  const { targets, chains } = plan;
  return chains === null ? { targets, ledger } : narrowToSteps(run, { chains, ledger, ...at });
}

/** Nothing is sent. A run that had served nobody ends as cancelled with this reason, whatever its ledger holds. */
function refuse(run: Run, refusal: string): void {
  run.lastSkip = refusal;
  run.nextAttemptAt = null;
  if (Object.keys(run.tally).length === 0) run.tally = { skipped: 1 };
}

/**
 * What is over the plan is skipped, the rest is counted. A run taken up again was counted with its first claim; what a
 * person retries, if it was tried before.
 */
function holdToPlans(
  prepared: PreparedJob[],
  {
    workspaces,
    billing,
    now,
    isCounted,
  }: {
    workspaces: ReadonlyMap<string, WorkspaceFacts>;
    billing: Billing;
    now: Temporal.Instant;
    isCounted: (job: ClaimedJob) => boolean;
  },
): Claim['usage'] {
  const used = new Map<string, number>();
  const allowances = new Map<string, Allowance>();
  for (const one of prepared) {
    const { job } = one;
    const workspace = workspaces.get(job.workspace_id);
    if (workspace === undefined || 'refusal' in one.plan || !countsAgainstPlan(job.type)) continue;
    const allowance = allowances.get(workspace.id) ?? allowanceOf(workspace, { billing, now });
    allowances.set(workspace.id, allowance);
    const count = used.get(workspace.id) ?? 0;
    if (!isCounted(job)) {
      if (allowance.occurrences !== null && workspace.used + count >= allowance.occurrences) {
        one.notice = overQuota(allowance);
        for (const target of one.plan.targets) target.problem ??= one.notice;
        continue;
      }
      used.set(workspace.id, count + 1);
    }
    if (allowance.channels !== null) leaveOutChannels(one.plan.targets, allowance);
  }
  return [...used].map(([workspaceId, occurrences]) => ({ workspaceId, occurrences }));
}

function leaveOutChannels(targets: Target[], { name, channels }: Allowance): void {
  for (const target of targets) {
    if (target.problem === null && channels?.includes(target.channel) === false)
      target.problem = `The ${name} plan does not include ${target.channel}`;
  }
}

async function leaveOutSuppressed(
  prepared: readonly PreparedJob[],
  { found, workspaces }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts> },
): Promise<void> {
  const concerned = prepared.filter(({ job }) => workspaces.get(job.workspace_id)?.has_suppressions === true);
  if (concerned.length === 0) return;
  const asked = concerned.flatMap(({ job, plan }) =>
    'refusal' in plan
      ? []
      : plan.targets.map((target) => ({
          target,
          workspaceId: job.workspace_id,
          channel: target.channel,
          key: recipientKey(target.recipient),
        })),
  );
  const suppressed = await found.suppressed(asked);
  for (const { target, ...row } of asked) {
    if (suppressed.has(suppressionKey(row))) target.problem ??= onSuppressionList;
  }
}

function emptyRun(
  { job, scheduledFor, expiresAt, plan }: PreparedJob,
  { claimId, now }: ClaimRequest,
): Omit<Run, 'companyName' | 'prefersMiss' | 'ways' | 'hours'> {
  return {
    job,
    claimId,
    work: 'refusal' in plan ? noWork : plan.work,
    contacts: noContacts,
    steps: noSteps,
    scheduledFor,
    startedAt: now,
    expiresAt,
    inFlight: 0,
    queued: [],
    unheard: new Set(),
    tally: {},
    nextAttemptAt: null,
    isUncertain: false,
    goesOn: false,
    lastFailure: null,
    lastSkip: null,
    attempted: 0,
    askedAtMs: now.epochMilliseconds,
    isLost: false,
  };
}

const noSteps: Run['steps'] = new Map();
const noContacts: Run['contacts'] = new Map();

const noWork: Work = {
  subject: '',
  message: '',
  recipients: [],
  channels: [],
  mode: 'every',
  pinned: {},
  values: {},
  data: {},
  timezone: 'UTC',
  isTest: false,
};
