import { audienceLimits } from '#contract/audience.ts';
import { type PersonInAudience, targetsOfPeople } from '#domain/audience-targets.ts';
import { audienceTooLarge, emptyAudience } from '#domain/ledger-reasons.ts';
import { type AudienceBudget, roundRobin } from '#engine/claiming/audience-budget.ts';
import type { Dispatch, PreparedJob } from '#engine/run/prepared-job.ts';
import { type LedgerRow, isFinal } from '#engine/run/live-delivery.ts';
import type { AudienceRequest, Found, WorkspaceFacts } from '#engine/store.ts';

type Context = {
  found: Found;
  workspaces: ReadonlyMap<string, WorkspaceFacts>;
  ledgerOf: ReadonlyMap<string, readonly LedgerRow[]>;
  budget: AudienceBudget;
};

/**
 * Adds the people of each job's audience to its targets, as far as the budget goes. Runs no query when no job has one. The people of an
 * occurrence are those of the claim that began it: a later claim adds nobody, and leaves out who no longer belongs to the audience.
 * @returns the jobs for which the budget was too small: the claim leaves them in the queue
 */
export async function addAudiences(
  prepared: readonly PreparedJob[],
  { found, workspaces, ledgerOf, budget }: Context,
): Promise<Set<PreparedJob>> {
  const left = new Set<PreparedJob>();
  // The people of audiences that were asked for already: reminders often share one.
  const asked = new Map<string, PersonInAudience[]>();
  const spent = { lookups: 0, people: 0 };
  for (const one of roundRobin(prepared.filter(hasAudience))) {
    const { dispatch } = one;
    if ('refusal' in dispatch || dispatch.work.audience === null) continue;
    if (spent.lookups >= budget.lookups || spent.people >= budget.people) {
      left.add(one);
      continue;
    }
    const { workspace_id: workspaceId, id } = one.job;
    const { audience } = dispatch.work;
    const rows = ledgerOf.get(id) ?? [];
    const among = peopleOfFirstClaim(one, rows);
    const isEmpty = among?.length === 0 || workspaces.get(workspaceId)?.has_contacts !== true;
    const request: AudienceRequest = { workspaceId, audience, among, limit: audienceLimits.people + 1 };
    const key = JSON.stringify(request);
    const known = isEmpty ? [] : asked.get(key);
    const people = known ?? (await found.audience(request));
    if (known === undefined) {
      asked.set(key, people);
      spent.lookups += 1 + (audience.groups ?? []).length;
    }
    spent.people += people.length;
    addPeople(one, { dispatch, people, rows });
  }
  return left;
}

const hasAudience = ({ dispatch }: PreparedJob) => 'work' in dispatch && dispatch.work.audience !== null;

/**
 * The contacts that an earlier claim of this job served; null when this claim begins with the people of its audience. A
 * manual retry serves those of the occurrence, unless it never began.
 */
function peopleOfFirstClaim({ job }: PreparedJob, rows: readonly LedgerRow[]): string[] | null {
  const served = new Set(rows.flatMap(({ contact_id: id }) => id ?? []));
  return job.attempts > 1 || served.size > 0 ? [...served] : null;
}

function addPeople(
  one: PreparedJob,
  { dispatch, people, rows }: { dispatch: Dispatch; people: readonly PersonInAudience[]; rows: readonly LedgerRow[] },
): void {
  if (people.length > audienceLimits.people) {
    const refusal = audienceTooLarge(audienceLimits.people);
    one.notice = { kind: 'missed', reason: refusal.reason };
    one.dispatch = { refusal };
    return;
  }
  dispatch.targets.push(
    ...targetsOfPeople(people, {
      channels: dispatch.work.channels,
      listed: dispatch.targets,
      earlier: rows.flatMap(earlierOf),
    }),
  );
  if (dispatch.targets.length === 0 && rows.length === 0) one.dispatch = { refusal: emptyAudience };
}

/** The addresses that earlier attempts used: what was sent there, or may have arrived, stays with its address. */
const earlierOf = ({ contact_id: id, channel, recipient, status, unknowns }: LedgerRow) =>
  id === null ? [] : [{ id, channel, recipient, isSettled: isFinal(status) || status === 'sending' || unknowns > 0 }];
