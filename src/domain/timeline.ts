import type { DeliveryEvent, DeliveryStatus } from '#contract/deliveries.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { ReasonParams } from '#contract/reason-params.ts';

/** A past or current state of a ledger row. Instants are ISO text. */
export type LedgerState = {
  status: DeliveryStatus;
  attempts: number;
  reason: string | null;
  reason_code: ReasonCode | null;
  reason_params: ReasonParams | null;
  channel_id: string | null;
  provider: string | null;
  provider_answer: string | null;
  /** When the latest attempt began. */
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  completed_at: string | null;
  /** When the outcome came, where that is not `completed_at`. */
  answered_at: string | null;
};

/** Earlier states of the row, oldest first, and when a person retried it. */
export type HistoryEntry = { kind: 'state'; state: LedgerState } | { kind: 'retried'; at: string };

/** All known events of one recipient, oldest first. */
export function timelineOf(current: LedgerState, history: readonly HistoryEntry[]): DeliveryEvent[] {
  const events: DeliveryEvent[] = [];
  let before: LedgerState | null = null;
  for (const entry of [...history, { kind: 'state' as const, state: current }]) {
    if (entry.kind === 'retried') events.push({ kind: 'retried', at: entry.at });
    else events.push(...eventsOf(entry.state, before));
    before = entry.kind === 'retried' ? null : entry.state;
  }
  return events;
}

/** The events that a state adds to the one before it. */
function eventsOf(state: LedgerState, before: LedgerState | null): DeliveryEvent[] {
  const { status, attempts } = state;
  if (status === 'queued') return [];
  if (attempts > (before?.attempts ?? 0) && state.last_attempt_at !== null)
    return [attemptOf(state, state.last_attempt_at)];
  if (status === 'waiting') {
    const { reason, reason_code, reason_params, next_attempt_at } = state;
    return [{ kind: 'put_off', reason, reason_code, reason_params, next_attempt_at }];
  }
  // A report about an attempt that had succeeded comes after its end, which stays.
  const at = [state.answered_at, state.completed_at]
    .filter((each) => each !== null)
    .toSorted()
    .at(-1);
  if (at === undefined) return [];
  const isServed = status === 'accepted' || status === 'delivered';
  // Whether the state comes from a report about an attempt that had ended.
  const isReport = before !== null && before.attempts > 0 && (isServed || isAnswered(before));
  const words = state.reason ?? (isServed ? state.provider_answer : null);
  return [
    {
      kind: isReport ? 'report' : 'ended',
      at,
      status,
      reason_code: state.reason_code,
      reason_params: state.reason_params,
      words: isReport && words === before?.provider_answer ? null : words,
    },
  ];
}

const isAnswered = ({ status }: LedgerState) => status === 'accepted' || status === 'delivered' || status === 'unknown';

const attemptOf = (state: LedgerState, began: string): DeliveryEvent => ({
  kind: 'attempt',
  number: state.attempts,
  status: state.status,
  began_at: began,
  answered_at: state.status === 'sending' ? null : (state.answered_at ?? state.completed_at),
  reason: state.reason,
  reason_code: state.reason_code,
  reason_params: state.reason_params,
  channel_id: state.channel_id,
  provider: state.provider,
  provider_answer: state.provider_answer,
  next_attempt_at: state.next_attempt_at,
});
