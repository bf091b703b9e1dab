import { isBefore } from '#domain/instants.ts';
import { createHours, readHours } from '#engine/sending-hours.ts';
import type { Hours } from '#engine/run.ts';
import { loadContacts } from '#engine/contacts.ts';
import { lifetimeMs } from '#engine/misfire.ts';
import type { Plan, PreparedJob } from '#engine/prepare.ts';
import type { Found, WorkspaceFacts } from '#engine/store.ts';

/**
 * Loads the sending hours of the jobs' workspaces and applies them to the jobs: one that has to wait gets a later
 * expiry, and one that its next occurrence would overtake before the hours open is not sent. Tests ignore sending
 * hours.
 */
export async function applySendingHours(
  prepared: readonly PreparedJob[],
  { found, workspaces, now }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts>; now: Temporal.Instant },
): Promise<ReadonlyMap<string, Hours>> {
  const read = [...workspaces.values()].flatMap((workspace) => {
    const hours = readHours(workspace);
    return hours === null ? [] : [{ workspace, hours }];
  });
  if (read.length === 0) return none;
  const concerned = Map.groupBy(
    prepared.filter(({ plan }) => !('refusal' in plan) && !plan.work.isTest),
    ({ job }) => job.workspace_id,
  );
  const asked = read.flatMap(({ workspace: { id, has_contacts: hasContacts }, hours: { zone } }) =>
    hasContacts && zone === 'recipient' ? plansOf(concerned.get(id)).map((plan) => ({ workspaceId: id, plan })) : [],
  );
  const contacts = await loadContacts(asked, found);
  const kept = new Map<string, Hours>();
  for (const { workspace, hours } of read) {
    const own = createHours(hours, { workspaceId: workspace.id, contacts });
    kept.set(workspace.id, own);
    for (const one of concerned.get(workspace.id) ?? []) applyTo(own, { one, now });
  }
  return kept;
}

const none: ReadonlyMap<string, Hours> = new Map();

const plansOf = (jobs: readonly PreparedJob[] = []): Plan[] =>
  jobs.flatMap(({ plan }) => ('refusal' in plan ? [] : [plan]));

function applyTo(hours: Hours, { one, now }: { one: PreparedJob; now: Temporal.Instant }): void {
  const [plan] = plansOf([one]);
  const targets = plan?.targets.filter(({ problem, channel }) => problem === null && hours.isFor(channel)) ?? [];
  // The expiry was set by an earlier claim.
  if (one.job.attempts > 1 || targets.length === 0) return;
  lengthen(one, { hours, recipients: targets.map(({ recipient }) => recipient), now });
  // A manual retry is sent even if a later occurrence has come.
  if (one.next === null || one.job.expires_at !== null) return;
  for (const target of targets) {
    const deferral = hours.deferralOf(target, now);
    if (deferral === null || isBefore(deferral.at, one.next)) continue;
    target.problem = `Outside of sending hours: the next occurrence comes before they begin (${deferral.where})`;
  }
}

/** The lifetime of a day begins when the hours open. The next occurrence still ends it. */
function lengthen(
  one: PreparedJob,
  { hours, recipients, now }: { hours: Hours; recipients: readonly string[]; now: Temporal.Instant },
): void {
  const isCut = one.next?.equals(one.expiresAt) === true;
  const from = isCut ? one.scheduledFor : one.expiresAt.subtract({ milliseconds: lifetimeMs });
  let end = one.expiresAt;
  for (const recipient of recipients) {
    const until = hours.lastsUntil(recipient, from);
    if (isBefore(end, until)) end = until;
  }
  if (one.next !== null && isBefore(now, one.next) && isBefore(one.next, end)) end = one.next;
  if (!isBefore(one.expiresAt, end)) return;
  one.expiresAt = end;
  one.isExtended = true;
}
