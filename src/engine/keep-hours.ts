import { createHours, readHours } from '#engine/hours.ts';
import type { Hours } from '#engine/run.ts';
import { askForContacts } from '#engine/contacts.ts';
import { lifetimeMs } from '#engine/misfire.ts';
import type { Plan, PreparedJob } from '#engine/prepare.ts';
import type { Found, WorkspaceFacts } from '#engine/store.ts';

/**
 * The sending hours that a claim's jobs keep to, by workspace; what they do to a job is done: its time lasts longer where it
 * has to wait for them, and what the next occurrence would overtake before they open is not sent. Tests keep to none.
 */
export async function keepHours(
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
  const contacts = await askForContacts(asked, found);
  const kept = new Map<string, Hours>();
  for (const { workspace, hours } of read) {
    const own = createHours(hours, { workspaceId: workspace.id, contacts });
    kept.set(workspace.id, own);
    for (const one of concerned.get(workspace.id) ?? []) keepTo(own, { one, now });
  }
  return kept;
}

const none: ReadonlyMap<string, Hours> = new Map();

const plansOf = (jobs: readonly PreparedJob[] = []): Plan[] =>
  jobs.flatMap(({ plan }) => ('refusal' in plan ? [] : [plan]));

function keepTo(hours: Hours, { one, now }: { one: PreparedJob; now: Temporal.Instant }): void {
  const [plan] = plansOf([one]);
  const targets = plan?.targets.filter(({ problem, channel }) => problem === null && hours.isFor(channel)) ?? [];
  // What an earlier claim has said of its time stays said.
  if (one.job.attempts > 1 || targets.length === 0) return;
  lengthen(one, { hours, recipients: targets.map(({ recipient }) => recipient), now });
  // Whoever tries an old one again wants it, whatever has come after it.
  if (one.next === null || one.job.expires_at !== null) return;
  for (const target of targets) {
    const hold = hours.holdOf(target, now);
    if (hold === null || isBefore(hold.at, one.next)) continue;
    target.problem = `Outside of sending hours: the next occurrence comes before they begin (${hold.where})`;
  }
}

/** Its day begins when the hours do; the next occurrence ends it all the same. */
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

const isBefore = (a: Temporal.Instant, b: Temporal.Instant) => Temporal.Instant.compare(a, b) < 0;
