import { type Billing, limitedTiers } from '#domain/allowance.ts';
import { recipientKey } from '#domain/recipients.ts';
import { chainTargets } from '#engine/chain-targets.ts';
import { addContacts } from '#engine/contacts.ts';
import { holdToPlans } from '#engine/hold-to-plans.ts';
import { keepHours } from '#engine/keep-hours.ts';
import { onSuppressionList } from '#engine/ledger.ts';
import { emptyRun, openRun } from '#engine/open-run.ts';
import { type PreparedJob, prepareJob } from '#engine/prepare.ts';
import { type FindRoute, waysOf } from '#engine/routes.ts';
import { isFirstClaim, type Run } from '#engine/run.ts';
import type { Claim, Notice } from '#engine/claimed.ts';
import {
  type ClaimRequest,
  type EngineStore,
  type Found,
  type LedgerRow,
  suppressionKey,
  type WorkspaceFacts,
} from '#engine/store.ts';
import { successorsOf } from '#engine/successors.ts';

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
