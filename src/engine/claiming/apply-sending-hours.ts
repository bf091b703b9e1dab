import type { ReceivingHours } from '#contract/receiving-hours.ts';
import { SendingHours } from '#contract/sending-hours.ts';
import { isAddressed } from '#contract/channel-types.ts';
import { hoursNeverMeet, outsideOfHours } from '#domain/ledger-reasons.ts';
import { createHours, type Hours } from '#engine/run/sending-hours.ts';
import { loadContacts } from '#engine/claiming/load-contacts.ts';
import { recipientKey, type Target } from '#domain/recipients.ts';
import { lifetimeMs } from '#domain/lifetime.ts';
import { isFirstClaim } from '#engine/run/claimed-job.ts';
import type { Dispatch, PreparedJob } from '#engine/run/prepared-job.ts';
import type { Found, WorkspaceFacts } from '#engine/store.ts';

/**
 * Loads the sending hours of the jobs' workspaces and those in which recipients want messages, and applies them to the jobs: one that has to wait gets a later
 * expiry, and one that its next occurrence would overtake before the hours open is not sent. An optional message is not sent either where the hours never meet, and a
 * required one follows the workspace's hours alone: whoever holds a forwarded link must not delay it. Tests ignore all hours. Returns the hours by job; its rows keep those that it read.
 */
export async function applySendingHours(
  prepared: readonly PreparedJob[],
  { found, workspaces, nowMs }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts>; nowMs: number },
): Promise<ReadonlyMap<string, Hours>> {
  const read = [...workspaces.values()].flatMap((workspace) => {
    const hours = readHours(workspace);
    return hours === null && !workspace.has_wishes ? [] : [{ workspace, hours }];
  });
  if (read.length === 0) return none;
  const concerned = Map.groupBy(
    prepared.filter(({ dispatch }) => !('refusal' in dispatch) && dispatch.work.occasion === 'reminder'),
    ({ job }) => job.workspace_id,
  );
  const asked = read.flatMap(({ workspace: { id, has_contacts: hasContacts }, hours }) =>
    hasContacts && hours?.zone === 'recipient'
      ? dispatchesOf(concerned.get(id)).map((dispatch) => ({ workspaceId: id, dispatch }))
      : [],
  );
  const contacts = await loadContacts(asked, found);
  const wishes = await loadWishes(
    read.flatMap(({ workspace }) =>
      workspace.has_wishes
        ? dispatchesOf(concerned.get(workspace.id))
            .filter((dispatch) => !isRequired(dispatch, workspace))
            .map((dispatch) => ({ workspaceId: workspace.id, dispatch }))
        : [],
    ),
    found,
  );
  const kept = new Map<string, Hours>();
  for (const { workspace, hours } of read) {
    const of = { workspaceId: workspace.id, contacts };
    const optional = createHours(hours, { ...of, wishes });
    const required = createHours(hours, { ...of, wishes: noWishes });
    for (const one of concerned.get(workspace.id) ?? []) {
      const own = dispatchesOf([one]).some((dispatch) => isRequired(dispatch, workspace)) ? required : optional;
      kept.set(one.job.id, own);
      applyTo(own, { one, nowMs });
    }
  }
  return kept;
}

const isRequired = ({ work }: Dispatch, workspace: WorkspaceFacts): boolean =>
  workspace.required_topics[work.topicId ?? ''] !== undefined;

const noWishes: ReadonlyMap<string, ReceivingHours> = new Map();

/** Null when the workspace has set none, or when the setting cannot be read: that must not block deliveries. */
function readHours({ sending_hours: stored }: Pick<WorkspaceFacts, 'sending_hours'>): SendingHours | null {
  if (stored === null) return null;
  const { data: hours } = SendingHours.safeParse(stored);
  return hours?.enabled === true ? hours : null;
}

const none: ReadonlyMap<string, Hours> = new Map();

/** Runs no query without a recipient who may have an own wish. */
async function loadWishes(
  dispatches: readonly { workspaceId: string; dispatch: Dispatch }[],
  found: Found,
): ReturnType<Found['wishes']> {
  const asked = dispatches.flatMap(({ workspaceId, dispatch }) =>
    dispatch.targets.flatMap(({ channel, recipient }) =>
      isAddressed(channel) ? [{ workspaceId, key: recipientKey(recipient) }] : [],
    ),
  );
  return asked.length === 0 ? new Map() : found.wishes(asked);
}

const dispatchesOf = (jobs: readonly PreparedJob[] = []): Dispatch[] =>
  jobs.flatMap(({ dispatch }) => ('refusal' in dispatch ? [] : [dispatch]));

function applyTo(hours: Hours, { one, nowMs }: { one: PreparedJob; nowMs: number }): void {
  const [dispatch] = dispatchesOf([one]);
  const concerned = dispatch?.targets.filter((target) => target.problem === null && hours.isFor(target)) ?? [];
  const targets = concerned.filter((target) => {
    const isMet = hours.meet(target, nowMs);
    if (!isMet) target.problem = hoursNeverMeet;
    return isMet;
  });
  // Once for a run, with what was missed otherwise: the owners may change the sending hours.
  if (targets.length < concerned.length && isFirstClaim(one.job))
    one.notice ??= { kind: 'missed', reason: hoursNeverMeet.reason };
  // An earlier claim has set the expiry already.
  if (one.job.attempts > 1 || targets.length === 0) return;
  lengthen(one, { hours, targets, nowMs });
  // A manual retry is sent even if a later occurrence has come.
  if (one.nextMs === null || one.job.expires_at !== null) return;
  for (const target of targets) {
    const deferral = hours.deferralOf(target, nowMs);
    if (deferral === null || deferral.atMs < one.nextMs) continue;
    target.problem = outsideOfHours(deferral.where);
  }
}

/** A message expires a day after the hours open, instead of a day after its time. The next occurrence still ends it. */
function lengthen(
  one: PreparedJob,
  { hours, targets, nowMs }: { hours: Hours; targets: readonly Target[]; nowMs: number },
): void {
  const { scheduledForMs, expiresAtMs, nextMs } = one;
  const fromMs = nextMs === expiresAtMs ? scheduledForMs : expiresAtMs - lifetimeMs;
  let endMs = expiresAtMs;
  for (const target of targets) endMs = Math.max(endMs, hours.lastsUntilMs(target, fromMs));
  if (nextMs !== null && nowMs < nextMs) endMs = Math.min(endMs, nextMs);
  if (endMs <= expiresAtMs) return;
  one.expiresAtMs = endMs;
  one.isExtended = true;
}
