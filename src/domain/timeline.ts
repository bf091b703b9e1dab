import type { DeliveryEvent, DeliveryStatus } from '#contract/jobs.ts';

/** What a line of the ledger said at one time. Instants are ISO text. */
export type Stand = {
  status: DeliveryStatus;
  attempts: number;
  reason: string | null;
  channel_id: string | null;
  provider: string | null;
  provider_answer: string | null;
  /** When the latest attempt began. */
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  completed_at: string | null;
  /** When the outcome came, where `completed_at` does not say it. */
  answered_at: string | null;
};

/** What the line said before, oldest first, and when a person had it tried again. */
export type Past = { kind: 'stood'; stand: Stand } | { kind: 'retried'; at: string };

/** Everything that is known to have happened to one recipient, oldest first. */
export function timelineOf(current: Stand, past: readonly Past[]): DeliveryEvent[] {
  const events: DeliveryEvent[] = [];
  let before: Stand | null = null;
  for (const entry of [...past, { kind: 'stood' as const, stand: current }]) {
    if (entry.kind === 'retried') events.push({ kind: 'retried', at: entry.at });
    else events.push(...eventsOf(entry.stand, before));
    before = entry.kind === 'retried' ? null : entry.stand;
  }
  return events;
}

/** What a stand tells beyond the one before it. */
function eventsOf(stand: Stand, before: Stand | null): DeliveryEvent[] {
  const { status, attempts } = stand;
  if (status === 'queued') return [];
  if (attempts > (before?.attempts ?? 0) && stand.last_attempt_at !== null)
    return [attemptOf(stand, stand.last_attempt_at)];
  if (status === 'waiting') return [{ kind: 'put_off', reason: stand.reason, next_attempt_at: stand.next_attempt_at }];
  // What is told of an attempt that had ended well leaves its end as it was.
  const at = [stand.answered_at, stand.completed_at]
    .filter((each) => each !== null)
    .toSorted()
    .at(-1);
  if (at === undefined) return [];
  const isServed = status === 'accepted' || status === 'delivered';
  // Somebody told more of an attempt that had ended.
  const isReport = before !== null && before.attempts > 0 && (isServed || isAnswered(before));
  const words = stand.reason ?? (isServed ? stand.provider_answer : null);
  return [
    {
      kind: isReport ? 'report' : 'ended',
      at,
      status,
      words: isReport && words === before?.provider_answer ? null : words,
    },
  ];
}

const isAnswered = ({ status }: Stand) => status === 'accepted' || status === 'delivered' || status === 'unknown';

const attemptOf = (stand: Stand, began: string): DeliveryEvent => ({
  kind: 'attempt',
  number: stand.attempts,
  status: stand.status,
  began_at: began,
  answered_at: stand.status === 'sending' ? null : (stand.answered_at ?? stand.completed_at),
  reason: stand.reason,
  channel_id: stand.channel_id,
  provider: stand.provider,
  provider_answer: stand.provider_answer,
  next_attempt_at: stand.next_attempt_at,
});
