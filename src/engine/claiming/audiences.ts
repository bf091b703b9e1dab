import { audienceLimits } from '#contract/audience.ts';
import { type PersonInAudience, targetsOfPeople } from '#domain/audience-targets.ts';
import { audienceTooLarge, emptyAudience } from '#domain/ledger-reasons.ts';
import type { AudienceBudget } from '#engine/claiming/audience-budget.ts';
import { type Dispatch, type PreparedJob, prepareJob } from '#engine/run/prepared-job.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import { type LedgerRow, isSettled } from '#engine/run/live-delivery.ts';
import type { AudienceRequest, Found } from '#engine/store.ts';

/** The people of jobs' audiences, by the job's id. */
export type AskedPeople = ReadonlyMap<string, readonly PersonInAudience[]>;

/**
 * Asks who belongs to the audiences of these jobs, first of what has been due for longest, as far as the budget goes. The people of an
 * occurrence are those of the claim that began it: a later claim asks only who of them still belongs to the audience. Asked before the claim
 * locks anything that other claims wait for.
 */
export async function askAudiences(
  found: Found,
  {
    ledgerOf,
    nowMs,
    budget,
    steadyMs,
  }: {
    ledgerOf: ReadonlyMap<string, readonly LedgerRow[]>;
    nowMs: number;
    budget: AudienceBudget;
    steadyMs: () => number;
  },
): Promise<AskedPeople> {
  const people = new Map<string, readonly PersonInAudience[]>();
  // Reminders often share an audience.
  const known = new Map<string, PersonInAudience[]>();
  const untilMs = steadyMs() + budget.ms;
  let count = 0;
  for (const job of found.jobs.toSorted((a, b) => dueMs(a) - dueMs(b) || (a.id < b.id ? -1 : 1))) {
    const { dispatch } = prepareJob(job, { nowMs, exists: true });
    if ('refusal' in dispatch || dispatch.work.audience === null) continue;
    const among = peopleOfFirstClaim(job, ledgerOf.get(job.id) ?? []);
    const { audience } = dispatch.work;
    const request = { workspaceId: job.workspace_id, audience, among, limit: audienceLimits.people + 1 };
    const key = JSON.stringify(request);
    const asked =
      among?.length === 0 ? [] : (known.get(key) ?? (await found.audience(request satisfies AudienceRequest)));
    known.set(key, asked);
    people.set(job.id, asked);
    count += asked.length;
    if (steadyMs() >= untilMs || count >= budget.people) break;
  }
  return people;
}

const dueMs = (job: ClaimedJob) => Date.parse(job.due_at ?? job.scheduled_for);

/**
 * The contacts that an earlier claim of this job served; null when this claim begins with the people of its audience. A
 * manual retry serves those of the occurrence, unless it never began.
 */
function peopleOfFirstClaim(job: ClaimedJob, rows: readonly LedgerRow[]): string[] | null {
  const served = new Set(rows.flatMap(({ contact_id: id }) => id ?? []));
  return job.attempts > 1 || served.size > 0 ? [...served] : null;
}

/**
 * Adds the people of each job's audience to its targets.
 * @returns the jobs whose audience was not asked for: the claim leaves them in the queue
 */
export function addAudiences(
  prepared: readonly PreparedJob[],
  { people, ledgerOf }: { people: AskedPeople; ledgerOf: ReadonlyMap<string, readonly LedgerRow[]> },
): Set<PreparedJob> {
  const left = new Set<PreparedJob>();
  for (const one of prepared) {
    const { dispatch, job } = one;
    if ('refusal' in dispatch || dispatch.work.audience === null) continue;
    const asked = people.get(job.id);
    if (asked === undefined) left.add(one);
    else addPeople(one, { dispatch, people: asked, rows: ledgerOf.get(job.id) ?? [] });
  }
  return left;
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
const earlierOf = (row: LedgerRow) => {
  const { contact_id: id, channel, recipient } = row;
  return id === null ? [] : [{ id, channel, recipient, isSettled: isSettled(row) }];
};
