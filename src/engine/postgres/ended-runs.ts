import type { FinishRow, OutcomeRow } from '#engine/run/run-result.ts';
import { paramsColumn, plainColumn, textColumn, uuidColumn } from './columns.ts';
import * as sql from './ended-runs.sql.ts';

/** A run that is over with its first attempt, and nothing of it is in the ledger. */
export type EndedRun = { finish: FinishRow; outcome: OutcomeRow };

/** Separates the runs that `endRuns` can write from those that need the general statements. */
export function splitEndedRuns({
  outcomes,
  finishes,
}: {
  outcomes: readonly OutcomeRow[];
  finishes: readonly FinishRow[];
}): { ended: EndedRun[]; outcomes: readonly OutcomeRow[]; finishes: readonly FinishRow[] } {
  const inBatch = new Set(outcomes);
  const ended: EndedRun[] = [];
  const others: FinishRow[] = [];
  for (const finish of finishes) {
    const { onlyOutcome } = finish;
    const isWhole =
      onlyOutcome !== null && finish.logs !== null && isFinalFinish(finish) && inBatch.delete(onlyOutcome);
    if (isWhole) ended.push({ finish, outcome: onlyOutcome });
    else others.push(finish);
  }
  return ended.length === 0 ? { ended, outcomes, finishes } : { ended, outcomes: [...inBatch], finishes: others };
}

const isFinalFinish = ({ status }: FinishRow) => status === 'completed' || status === 'failed';

export function endRunsStatement(ended: readonly EndedRun[], now: string) {
  const { groups, groupOf } = grouped(ended);
  // Null where a row has the same as the first of its group.
  const differing = (read: (one: EndedRun) => string | null) => (one: EndedRun, at: number) => {
    const first = groups[(groupOf[at] ?? 0) - 1];
    const value = read(one);
    return first !== undefined && read(first) === value ? null : value;
  };
  return {
    ...sql.endRuns,
    values: [
      now,
      uuidColumn(ended, ({ finish }) => finish.jobId),
      uuidColumn(ended, ({ outcome }) => outcome.delivery.id),
      `{${groupOf.join(',')}}`,
      textColumn(ended, differing(recipientOf)),
      textColumn(ended, differing(nameOf)),
      textColumn(ended, ({ outcome }) => outcome.settled.receipt),
      plainColumn(ended, differing(hashOf)),
      uuidColumn(groups, ({ finish }) => finish.claimId),
      plainColumn(groups, ({ finish }) => finish.status),
      groups.map(({ finish }) => finish.message),
      plainColumn(groups, ({ outcome }) => outcome.delivery.channel),
      plainColumn(groups, ({ outcome }) => outcome.settled.status),
      groups.map(({ outcome }) => outcome.settled.reason),
      groups.map(({ outcome }) => outcome.provider),
      groups.map(({ outcome }) => outcome.settled.answer),
      plainColumn(groups, ({ outcome }) => outcome.channelId),
      plainColumn(groups, ({ outcome }) => (outcome.settled.isUnknown ? 1 : 0)),
      plainColumn(groups, ({ finish }) => finish.startedAt.toString()),
      groups.map(({ finish }) => JSON.stringify(finish.logs)),
      plainColumn(groups, ({ outcome }) => outcome.settled.code),
      plainColumn(groups, onRow),
      paramsColumn(groups, ({ outcome }) => outcome.settled.params),
      textColumn(groups, recipientOf),
      textColumn(groups, nameOf),
      plainColumn(groups, hashOf),
    ],
  };
}

const recipientOf = ({ outcome }: EndedRun) => outcome.delivery.recipient;
const nameOf = ({ outcome }: EndedRun) => outcome.delivery.recipient_name;
const hashOf = ({ outcome }: EndedRun) => outcome.contentHash;

/** What the job's row keeps of the run; null when its logs say more, such as how late it began. */
function onRow({ finish, outcome }: EndedRun): string | null {
  const { status } = outcome.settled;
  const isUsual = status === 'accepted' || status === 'delivered' || status === 'failed' || status === 'unknown';
  const derived = { attempt: 1, attempted: 1, [status]: 1 };
  return isUsual && JSON.stringify(finish.logs) === JSON.stringify(derived) ? status : null;
}

/** Runs that differ only in their recipient, receipt and content share a group; all of them have a name and a content, or none. `groupOf` counts from one. */
function grouped(ended: readonly EndedRun[]): { groups: EndedRun[]; groupOf: number[] } {
  const numbers = new Map<string, number>();
  const groups: EndedRun[] = [];
  let last: { shared: ReturnType<typeof sharedBy>; number: number } | null = null;
  const groupOf = ended.map((one) => {
    const shared = sharedBy(one);
    // Most neighbours of a batch are alike, and comparing them costs less than writing a key.
    if (last === null || shared.some((value, at) => value !== last?.shared[at]))
      last = { shared, number: numberOf(JSON.stringify(shared), one) };
    return last.number;
  });
  return { groups, groupOf };

  function numberOf(key: string, one: EndedRun): number {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, groups.push(one));
    return groups.length;
  }
}

const sharedBy = ({ finish, outcome: { delivery, settled, provider, channelId, contentHash } }: EndedRun) => [
  finish.claimId,
  finish.startedAt.epochMilliseconds,
  finish.status,
  finish.message,
  delivery.channel,
  delivery.recipient_name === null,
  contentHash === null,
  settled.status,
  settled.isUnknown,
  provider,
  channelId,
  settled.code,
  settled.reason,
  settled.answer,
  JSON.stringify(finish.logs),
];
