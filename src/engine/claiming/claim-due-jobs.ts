import type { Billing } from '#contract/plans.ts';
import { limitedTiers } from '#domain/allowance.ts';
import { allPausedUntil, type Reason } from '#domain/ledger-reasons.ts';
import { reasonOfSkip, reasonWhereLast } from '#domain/may-be-sent.ts';
import { isoOf } from '#domain/instants.ts';
import { recipientKey } from '#domain/recipients.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import type { AudienceBudget } from '#engine/claiming/audience-budget.ts';
import { addAudiences, type AskedPeople, askAudiences } from '#engine/claiming/audiences.ts';
import { addContacts, loadContacts } from '#engine/claiming/load-contacts.ts';
import { enforceDemoLimits } from '#engine/claiming/enforce-demo-limits.ts';
import { enforceQuota } from '#engine/claiming/enforce-quota.ts';
import { applySendingHours } from '#engine/claiming/apply-sending-hours.ts';
import { internationalFor, keepSpellings } from '#engine/run/phone-numbers.ts';
import { leaveOutExcluded } from '#engine/claiming/leave-out-excluded.ts';
import { keepToCaps, type Narrowed } from '#engine/claiming/keep-to-caps.ts';
import { concernedBy, openRun } from '#engine/claiming/open-run.ts';
import { type PreparedJob, prepareJob } from '#engine/run/prepared-job.ts';
import type { FindRoute } from '#engine/run/routes.ts';
import { noWork } from '#engine/run/work.ts';
import { isFirstClaim, type ClaimedJob } from '#engine/run/claimed-job.ts';
import { JobRun } from '#engine/run/job-run.ts';
import { deletedSender, senderOf } from '#engine/run/sender.ts';
import type { ClaimDecision, NextOccurrence, Notice } from '#engine/run/claim-decision.ts';
import { isSettled, type LedgerRow } from '#engine/run/live-delivery.ts';
import { type ClaimRequest, type EngineStore, type Found, type WorkspaceFacts } from '#engine/store.ts';
import { contactKey, fallbackChainsOf, type SentBefore } from '#domain/fallback-chains.ts';
import { keyInWorkspace } from '#engine/run/contacts.ts';
import { erasedKeyOf, openErasureSecret } from '#platform/erased-address.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type ClaimDeps = {
  store: EngineStore;
  findRoute: FindRoute;
  billing: Billing;
  audiences: AudienceBudget;
  /** Opens the keys of erased addresses. */
  secrets: SecretBox;
  steadyMs: () => number;
};

type ClaimWithinLimits = ClaimRequest & {
  maxAttempts: number;
};

/**
 * Takes due jobs, checks that each is still to be sent, and begins the first attempts, at most `maxAttempts` of them. The
 * other recipients wait in the ledger. Jobs with an audience stay in the queue, for a claim by audience, which asks who belongs to it: that may
 * take seconds, and no other job waits for it.
 */
export const claimDueJobs = (deps: ClaimDeps, request: ClaimWithinLimits): Promise<ClaimDecision | null> =>
  deps.store.claim(request, (found) => decide(found, { deps, request }));

async function decide(
  found: Found,
  { deps, request }: { deps: ClaimDeps; request: ClaimWithinLimits },
): Promise<ClaimDecision> {
  const again = found.jobs.filter((job) => !isFirstClaim(job));
  const nowMs = request.now.epochMilliseconds;
  const readLedger = async () => Map.groupBy(again.length === 0 ? [] : await found.ledger(again), (row) => row.job_id);
  // Before the usage of the workspace is locked, for which its other claims wait.
  const people =
    request.order.by === 'audience'
      ? await askAudiences(found, {
          ledgerOf: await readLedger(),
          nowMs,
          budget: deps.audiences,
          steadyMs: deps.steadyMs,
        })
      : noPeople;
  const [{ facts, channels }, ledgerOf] = await Promise.all([
    found.workspaces(limitedTiers(deps.billing)),
    readLedger(),
  ]);
  const workspaces = new Map(facts.map((workspace) => [workspace.id, workspace]));
  const find = deps.findRoute(channels);
  const taken = found.jobs.map((job) =>
    prepareJob(job, {
      nowMs,
      exists: workspaces.has(job.workspace_id),
      misfire: workspaces.get(job.workspace_id)?.misfire,
      pauseRefusal: refusalByPause(job, {
        pausedUntil: workspaces.get(job.workspace_id)?.paused_until ?? null,
        nowMs,
      }),
      internationalFor: internationalFor(find, job),
    }),
  );
  const left = addAudiences(taken, { people, ledgerOf });
  const prepared = taken.filter((one) => !left.has(one));
  await applyFallbackChains(prepared, { found, workspaces, ledgerOf });
  const isCounted = (job: ClaimedJob) =>
    !isFirstClaim(job) && (job.attempts > 1 || ledgerOf.get(job.id)?.some(wasTried) === true);
  const demoUse = enforceDemoLimits(prepared, { workspaces, isCounted });
  const usage = enforceQuota(prepared, { workspaces, billing: deps.billing, now: request.now, isCounted });
  await leaveOutSuppressed(prepared, { found, workspaces, secrets: deps.secrets });
  await leaveOutExcluded(prepared, { found, workspaces, nowMs });
  const hours = await applySendingHours(prepared, { found, workspaces, nowMs });
  // Last: suppressions and contacts have numbers in E.164.
  for (const { job, dispatch } of prepared) {
    const rows = ledgerOf.get(job.id) ?? none;
    if (rows.length > 0 && 'work' in dispatch)
      keepSpellings(dispatch.targets, { ledger: rows, international: internationalFor(find, job)(dispatch.work) });
  }
  const limited = new Set(channels.flatMap((row) => (row.rate_limit_per_second === null ? [] : [row.workspace_id])));
  const claim: ClaimDecision = {
    id: request.claimId,
    left: [...left].map(({ job }) => job.id),
    started: [],
    rows: [],
    closed: [],
    reopened: [],
    continued: [],
    deferred: [],
    extended: [],
    nextOccurrences: nextOccurrencesOf(prepared),
    usage,
    demoUse,
    notices: prepared.flatMap(noticeOf),
  };
  const senders = new Map(facts.map((workspace) => [workspace.id, senderOf(workspace, deps)]));
  const narrowed = prepared.map((one): Narrowed => {
    const { job, dispatch, scheduledForMs, expiresAtMs } = one;
    const work = 'refusal' in dispatch ? noWork : dispatch.work;
    const run = new JobRun({
      job,
      claimId: request.claimId,
      sender: senders.get(job.workspace_id) ?? deletedSender,
      work,
      hours: hours.get(job.id) ?? null,
      startedAt: request.now,
      startedAtMs: nowMs,
      scheduledForMs,
      expiresAtMs,
      required: workspaces.get(job.workspace_id)?.required_topics[work.topicId ?? ''] ?? null,
      findRoutes: find,
    });
    return { one, run, ...concernedBy(dispatch, { run, ledger: ledgerOf.get(job.id) ?? none, claim, nowMs }) };
  });
  await keepToCaps(narrowed, { found, workspaces, now: request.now });
  let budget = request.maxAttempts;
  for (const { one, run, targets, ledger } of narrowed) {
    const isLimited = limited.has(run.job.workspace_id);
    const begun = openRun(run, { one, targets, ledger, claim, budget, isLimited, nowMs });
    budget -= begun.length;
    claim.started.push({ run, begun });
    if (one.isExtended) claim.extended.push({ jobId: run.job.id, expiresAt: isoOf(one.expiresAtMs) });
  }
  await addContacts(claim.started, { found, workspaces });
  return claim;
}

const noticeOf = ({ job, notice, dispatch }: PreparedJob): Notice[] =>
  notice === null
    ? []
    : [
        {
          jobId: job.id,
          workspaceId: job.workspace_id,
          name: job.name,
          scheduledFor: job.scheduled_for,
          timezone: job.schedule_config?.timezone ?? ('work' in dispatch ? dispatch.work.timezone : 'UTC'),
          ...notice,
        },
      ];

/** The next occurrences of these jobs' reminders. */
const nextOccurrencesOf = (prepared: readonly PreparedJob[]): NextOccurrence[] =>
  prepared.flatMap(({ job, nextOccurrenceMs }) =>
    nextOccurrenceMs === null || job.metadata === null || job.reminder_id === null
      ? []
      : [
          {
            workspaceId: job.workspace_id,
            reminderId: job.reminder_id,
            name: job.name,
            at: isoOf(nextOccurrenceMs),
            maxAttempts: maxAttemptsOf(job.metadata.channels),
            revision: job.reminder_revision ?? job.revision,
          },
        ],
  );

const none: readonly LedgerRow[] = [];
const noPeople: AskedPeople = new Map();

const wasTried = (row: LedgerRow) => row.first_attempt_at !== null;

async function leaveOutSuppressed(
  prepared: readonly PreparedJob[],
  { found, workspaces, secrets }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts>; secrets: SecretBox },
): Promise<void> {
  const asked = prepared.flatMap(({ job, dispatch }) => {
    const workspace = workspaces.get(job.workspace_id);
    if (workspace === undefined || 'refusal' in dispatch) return [];
    const { has_suppressions: hasSuppressions, consent_for: consentFor } = workspace;
    if (!hasSuppressions && consentFor.length === 0) return [];
    const { topicId, occasion, channels } = dispatch.work;
    const isRequired = workspace.required_topics[topicId ?? ''] !== undefined;
    const targets = hasSuppressions
      ? dispatch.targets
      : dispatch.targets.filter(({ channel }) => consentFor.includes(channel));
    return targets.map((target) => ({
      target,
      isOnly: channels.length === 1,
      isRequired,
      workspaceId: job.workspace_id,
      channel: target.channel,
      key: recipientKey(target.recipient),
      topicId,
      occasion,
      needsConsent: consentFor.includes(target.channel),
    }));
  });
  if (asked.length === 0) return;
  // First what says no to an erased address: whoever has been erased has no consent either.
  const all = [...asErased(asked, { workspaces, secrets }), ...asked];
  const skips = await found.suppressed(all);
  for (const [at, { target, isOnly, isRequired }] of all.entries()) {
    const skip = skips.get(at);
    if (skip === undefined) continue;
    const { channel } = target;
    target.problem ??= isOnly ? reasonWhereLast(skip.code, { channel, isRequired }) : reasonOfSkip(skip.code, channel);
  }
}

/** Null where the key that sealed it is lost: the claim goes on for all others. */
function openedOrNull(open: () => string): string | null {
  try {
    return open();
  } catch {
    return null;
  }
}

/** The same messages by what stands on the list in place of addresses that were erased, in workspaces that have such entries. */
function asErased<T extends { workspaceId: string; key: string; needsConsent: boolean }>(
  asked: readonly T[],
  { workspaces, secrets }: { workspaces: ReadonlyMap<string, WorkspaceFacts>; secrets: SecretBox },
): T[] {
  const makers = new Map<string, (key: string) => string>();
  for (const { id: workspaceId, erasure_secret: sealed } of workspaces.values()) {
    const secret = sealed === null ? null : openedOrNull(() => openErasureSecret(sealed, { workspaceId, secrets }));
    if (secret !== null) makers.set(workspaceId, erasedKeyOf(secret));
  }
  return asked.flatMap((one) => {
    const key = makers.get(one.workspaceId)?.(one.key);
    return key === undefined ? [] : [{ ...one, key, needsConsent: false }];
  });
}

/**
 * Why the pause of all reminders keeps a job from being sent; null when it does not. What comes due before the end of the pause is
 * skipped, also when it is claimed later. Tests and messages of the API are not reminders.
 * @param pausedUntil when the workspace's last pause ends or has ended
 */
function refusalByPause(
  job: ClaimedJob,
  { pausedUntil, nowMs }: { pausedUntil: string | null; nowMs: number },
): Reason | null {
  if (pausedUntil === null || (job.type !== 'reminder' && job.type !== 'event_reminder')) return null;
  const untilMs = Date.parse(pausedUntil);
  const dueMs = Date.parse(job.due_at ?? job.scheduled_for);
  // Once the pause has ended, what came due during it is refused too, unless it had begun before, such as a manual retry.
  const isPaused = nowMs < untilMs || (dueMs < untilMs && isFirstClaim(job));
  return isPaused ? allPausedUntil(pausedUntil) : null;
}

/**
 * Turns the targets of reminders whose channels are tried in order into fallback chains. Loads contacts only for those.
 */
async function applyFallbackChains(
  prepared: readonly PreparedJob[],
  {
    found,
    workspaces,
    ledgerOf,
  }: {
    found: Found;
    workspaces: ReadonlyMap<string, WorkspaceFacts>;
    ledgerOf: ReadonlyMap<string, readonly LedgerRow[]>;
  },
): Promise<void> {
  const chained = prepared.flatMap(({ job: { id, workspace_id: workspaceId }, dispatch }) =>
    'refusal' in dispatch || dispatch.work.mode === 'every' ? [] : [{ id, workspaceId, dispatch }],
  );
  if (chained.length === 0) return;
  const contacts = await loadContacts(
    chained.filter(({ workspaceId }) => workspaces.get(workspaceId)?.has_contacts === true),
    found,
  );
  for (const { id, workspaceId, dispatch } of chained) {
    const sentBefore = (ledgerOf.get(id) ?? none).flatMap(sentThrough);
    const contactOf = (recipient: string) => {
      const key = contactKey(recipient);
      return key === null ? null : (contacts.get(keyInWorkspace(workspaceId, key)) ?? null);
    };
    dispatch.chains = fallbackChainsOf(dispatch.targets, { channels: dispatch.work.channels, contactOf, sentBefore });
    dispatch.targets = dispatch.chains.flat();
  }
}

const sentThrough = (row: LedgerRow): SentBefore[] =>
  row.contact_id === null && row.through !== null && isSettled(row) ? [{ ...row, through: row.through }] : [];
