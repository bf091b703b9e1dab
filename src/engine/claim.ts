import type { Billing } from '#contract/plans.ts';
import { limitedTiers } from '#domain/allowance.ts';
import { mailStyleOf, plainStyle } from '#domain/mail-style.ts';
import { onSuppressionList } from '#domain/ledger-reasons.ts';
import { recipientKey } from '#domain/recipients.ts';
import { brandOf } from '#domain/white-label.ts';
import type { AudienceBudget } from '#engine/audience-budget.ts';
import { addAudiences } from '#engine/audiences.ts';
import { applyFallbackChains } from '#engine/fallback-chains.ts';
import { addContacts } from '#engine/contacts.ts';
import { enforceQuota } from '#engine/enforce-quota.ts';
import { applySendingHours } from '#engine/apply-sending-hours.ts';
import { internationalFor, keepSpellings } from '#engine/phone-numbers.ts';
import { emptyRun, openRun } from '#engine/open-run.ts';
import { type PreparedJob, prepareJob } from '#engine/prepare.ts';
import { type FindRoute, routesOf } from '#engine/routes.ts';
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
import { refusalByPause } from '#engine/workspace-pause.ts';
import { nextOccurrencesOf } from '#engine/next-occurrences.ts';

export type ClaimDeps = { store: EngineStore; findRoute: FindRoute; billing: Billing; audiences: AudienceBudget };

/**
 * Takes due jobs, checks that each is still to be sent, and begins the first attempts, at most `limit` of them. The
 * other recipients wait in the ledger. Jobs whose audiences are beyond the budget of a claim stay in the queue.
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
  const ledgerOf = Map.groupBy(ledger, (row) => row.job_id);
  const find = deps.findRoute(channels);
  const taken = found.jobs.map((job) =>
    prepareJob(job, {
      now: request.now,
      exists: workspaces.has(job.workspace_id),
      misfire: workspaces.get(job.workspace_id)?.misfire,
      pauseRefusal: refusalByPause(job, {
        pausedUntil: workspaces.get(job.workspace_id)?.paused_until ?? null,
        now: request.now,
      }),
      internationalFor: internationalFor(find, job),
    }),
  );
  const left = await addAudiences(taken, { found, workspaces, ledgerOf, budget: deps.audiences });
  const prepared = taken.filter((one) => !left.has(one));
  for (const { job, plan } of prepared) {
    const rows = ledgerOf.get(job.id) ?? none;
    if (rows.length > 0 && 'work' in plan)
      keepSpellings(plan.targets, { ledger: rows, international: internationalFor(find, job)(plan.work) });
  }
  await applyFallbackChains(prepared, { found, workspaces });
  const usage = enforceQuota(prepared, {
    workspaces,
    billing: deps.billing,
    now: request.now,
    isCounted: (job) => !isFirstClaim(job) && (job.attempts > 1 || ledgerOf.get(job.id)?.some(wasTried) === true),
  });
  await leaveOutSuppressed(prepared, { found, workspaces });
  const hours = await applySendingHours(prepared, { found, workspaces, now: request.now });
  const limited = new Set(channels.flatMap((row) => (row.rate_limit_per_second === null ? [] : [row.workspace_id])));
  const claim: Claim = {
    id: request.claimId,
    left: [...left].map(({ job }) => job.id),
    started: [],
    rows: [],
    closed: [],
    deferred: [],
    extended: prepared.flatMap(({ job, isExtended, expiresAt }) =>
      isExtended ? [{ jobId: job.id, expiresAt: expiresAt.toString() }] : [],
    ),
    nextOccurrences: nextOccurrencesOf(prepared),
    usage,
    notices: prepared.flatMap(noticeOf),
  };
  let budget = request.limit;
  for (const one of prepared) {
    const empty = emptyRun(one, request);
    const workspace = workspaces.get(one.job.workspace_id);
    const isDemo = workspace?.is_demo ?? false;
    const run: Run = {
      ...empty,
      isDemo,
      companyName: workspace?.company_name ?? '',
      brand: workspace === undefined ? null : brandOf(workspace, deps),
      mailStyle: workspace === undefined ? plainStyle : mailStyleOf(workspace),
      signing: workspace?.signing ?? null,
      prefersMiss: workspace?.prefers_miss ?? false,
      hours: empty.work.isTest ? null : (hours.get(one.job.workspace_id) ?? null),
      routes: routesOf(find, { ...empty, isDemo }),
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
          ...notice,
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
