import type { ClaimDecision, NextOccurrence } from '#engine/run/claim-decision.ts';
import type { OwnedJob } from '#engine/run/claimed-job.ts';
import type { Begun, ClaimRequest, LostAttempt, RecordBatch } from '#engine/store.ts';
import type { Settled } from '#domain/settle.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Act, Done } from '#simulation/people.ts';
import type { Timeline } from '#simulation/timeline.ts';
import type { RequestResult } from '#simulation/network-faults.ts';

/** A position in the order of all events, with the simulated time and with a monotonic one. */
export type Moment = { order: number; atMs: number; steadyMs: number };

/**
 * `since` is when it was called; it took effect between then and its own moment. `answered` is when the worker got the
 * answer.
 */
export type Call = { worker: string; since: Moment; answered: Moment | null };

export type EventContent =
  | { kind: 'act'; since: Moment; act: Act; done: Done }
  | { kind: 'claim'; request: ClaimRequest; claim: ClaimDecision; call: Call }
  | { kind: 'begin'; job: OwnedJob; begun: Begun[]; call: Call }
  | { kind: 'owned'; claimId: string; jobIds: ReadonlySet<string>; call: Call }
  | { kind: 'record'; batch: RecordBatch; call: Call }
  | { kind: 'rescue'; claimId: string; lost: { attempt: LostAttempt; settled: Settled }[]; jobs: number; call: Call }
  | { kind: 'schedule'; nextOccurrences: readonly NextOccurrence[]; now: Moment; call: Call }
  /** A request is sent. The receiver may act on it. */
  | { kind: 'request'; worker: string; request: Request; asked: Moment; result: RequestResult }
  | { kind: 'worker'; worker: string; what: string }
  | { kind: 'gap'; what: string }
  | { kind: 'log'; worker: string; what: string };

export type Request = {
  channel: ChannelType;
  /** The workspace's own channel that it used; null for the installation's default. */
  channelId: string | null;
  deliveryId: string;
  recipient: string;
  /** As the message itself says, if it does. */
  attempt: number | null;
};

export type Event = Moment & EventContent;
export type EventOf<Kind extends EventContent['kind']> = Extract<Event, { kind: Kind }>;

export type History = {
  events: Event[];
  moment(): Moment;
  /** Counters of the run, which show that faults did happen. */
  counts: Map<string, number>;
  count(what: string, times?: number): void;
  record<Content extends EventContent>(content: Content): Content & Moment;
};

export function createHistory({ nowMs, steadyMs }: Pick<Timeline, 'nowMs' | 'steadyMs'>): History {
  let order = 0;
  const events: Event[] = [];
  const counts = new Map<string, number>();
  const moment = () => ({ order: (order += 1), atMs: nowMs(), steadyMs: steadyMs() });
  return {
    events,
    moment,
    counts,
    count: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    record(content) {
      const event = Object.assign(content, moment());
      events.push(event);
      return event;
    },
  };
}
