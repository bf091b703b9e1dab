import type { Claim } from '#engine/claimed.ts';
import type { Successor } from '#engine/claimed.ts';
import type { Begun, ClaimRequest, HeldJob, LostAttempt, RecordBatch } from '#engine/store.ts';
import type { Settled } from '#domain/settle.ts';
import type { ChannelType } from '#contract/reminders.ts';
import type { Act, Done } from '#testing/simulation/people.ts';
import type { Timeline } from '#testing/simulation/timeline.ts';
import type { Fate } from '#testing/simulation/weather.ts';

/** A place in the order of everything that happened, with its time, and with one that nobody sets. */
export type Moment = { order: number; atMs: number; steadyMs: number };

/** `since` is when it was asked for: it took effect between then and its own moment. `answered`: the worker heard of it. */
export type Call = { worker: string; since: Moment; answered: Moment | null };

export type Happening =
  | { kind: 'act'; since: Moment; act: Act; done: Done }
  | { kind: 'claim'; request: ClaimRequest; claim: Claim; call: Call }
  | { kind: 'begin'; job: HeldJob; begun: Begun[]; call: Call }
  | { kind: 'held'; claimId: string; jobIds: ReadonlySet<string>; call: Call }
  | { kind: 'record'; batch: RecordBatch; call: Call }
  | { kind: 'rescue'; claimId: string; lost: { attempt: LostAttempt; settled: Settled }[]; jobs: number; call: Call }
  | { kind: 'plan'; successors: readonly Successor[]; now: Moment; call: Call }
  /** A request leaves: the other side may act on it. */
  | { kind: 'request'; worker: string; request: Request; asked: Moment; fate: Fate }
  | { kind: 'mishap'; worker: string; what: string }
  | { kind: 'gap'; what: string }
  | { kind: 'log'; worker: string; what: string };

export type Request = {
  channel: ChannelType;
  /** The workspace's own channel that it came by; null where the installation's. */
  channelId: string | null;
  deliveryId: string;
  recipient: string;
  /** As the message itself says, where it does. */
  attempt: number | null;
};

export type Event = Moment & Happening;
export type EventOf<Kind extends Happening['kind']> = Extract<Event, { kind: Kind }>;

export type History = {
  events: Event[];
  moment(): Moment;
  /** What was counted over the run, to tell that things did go wrong. */
  counts: Map<string, number>;
  count(what: string, times?: number): void;
  tell<Told extends Happening>(happening: Told): Told & Moment;
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
    tell(happening) {
      const event = Object.assign(happening, moment());
      events.push(event);
      return event;
    },
  };
}
