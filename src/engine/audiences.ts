import { audienceLimits } from '#contract/audience.ts';
import {
  emptyAudienceText,
  type PersonInAudience,
  targetsOfPeople,
  tooManyPeopleText,
} from '#domain/audience-targets.ts';
import type { Plan, PreparedJob } from '#engine/prepare.ts';
import { isFinal } from '#engine/run.ts';
import type { AudienceRequest, Found, LedgerRow, WorkspaceFacts } from '#engine/store.ts';

type Ledger = ReadonlyMap<string, readonly LedgerRow[]>;

/**
 * Adds the people of each job's audience to its targets. Runs no query when no job has one. The people of an occurrence
 * are those of the claim that began it: a later claim adds nobody, and leaves out who no longer belongs to the audience.
 */
export async function addAudiences(
  prepared: readonly PreparedJob[],
  { found, workspaces, ledgerOf }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts>; ledgerOf: Ledger },
): Promise<void> {
  const concerned = prepared.flatMap((one) => {
    const { plan } = one;
    return 'refusal' in plan || plan.work.audience === null ? [] : [{ one, plan, audience: plan.work.audience }];
  });
  if (concerned.length === 0) return;
  // Reminders often share an audience.
  const asked = new Map<string, Promise<PersonInAudience[]>>();
  const peopleOf = (request: AudienceRequest) => {
    const key = JSON.stringify(request);
    const answer = asked.get(key) ?? found.audience(request);
    asked.set(key, answer);
    return answer;
  };
  await Promise.all(
    concerned.map(async ({ one, plan, audience }) => {
      const workspaceId = one.job.workspace_id;
      const rows = ledgerOf.get(one.job.id) ?? [];
      const among = peopleOfFirstClaim(one, rows);
      const isEmpty = among?.length === 0 || workspaces.get(workspaceId)?.has_contacts !== true;
      const people = isEmpty ? [] : await peopleOf({ workspaceId, audience, among, limit: audienceLimits.people + 1 });
      addPeople(one, { plan, people, rows });
    }),
  );
}

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
  { plan, people, rows }: { plan: Plan; people: readonly PersonInAudience[]; rows: readonly LedgerRow[] },
): void {
  if (people.length > audienceLimits.people) {
    one.notice = { kind: 'missed', reason: tooManyPeopleText };
    one.plan = { refusal: tooManyPeopleText };
    return;
  }
  plan.targets.push(
    ...targetsOfPeople(people, {
      channels: plan.work.channels,
      listed: plan.targets,
      earlier: rows.flatMap(earlierOf),
    }),
  );
  if (plan.targets.length === 0 && rows.length === 0) one.plan = { refusal: emptyAudienceText };
}

/** What was sent, or may have arrived, stays with its address. */
const earlierOf = ({ contact_id: id, channel, recipient, status, unknowns }: LedgerRow) =>
  id === null ? [] : [{ id, channel, recipient, isSettled: isFinal(status) || status === 'sending' || unknowns > 0 }];
