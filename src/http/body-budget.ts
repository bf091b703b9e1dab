import type { Clock } from '#platform/clock.ts';
import { RateLimited, TooSlow, Unavailable } from '#platform/errors.ts';

const kiB = 1024;
const miB = 1024 * kiB;

/** Limits in bytes. A body counts until its request is finished. */
const bodyBudget = {
  /** This much of each body is not counted: small requests are never refused because of others' imports. */
  free: 64 * kiB,
  /** Limit for one sender. */
  ofSender: 12 * miB,
  /** Limit for all senders together. */
  ofAll: 32 * miB,
  /** This much of the total is reserved for senders that hold nothing else. */
  reserved: 12 * miB,
  /** A counted body must arrive at least this fast, on average over each window of so many seconds. */
  slowest: { bytesPerSecond: 32 * kiB, windowSeconds: 5 },
} as const;

type Limits = {
  free: number;
  ofSender: number;
  ofAll: number;
  reserved: number;
  slowest: { bytesPerSecond: number; windowSeconds: number };
};

/** The part of the budget that one request holds. */
export type BodyShare = {
  /** Counts further bytes of the body. Throws RateLimited or Unavailable over the limit. */
  add(bytes: number): void;
  /** Aborts, with TooSlow as its reason, where a counted body arrives too slowly: its share is released then. */
  readonly tooSlow: AbortSignal;
  /** The body is complete: the minimum speed no longer applies. */
  arrived(): void;
  /** Releases the share; called when the request has been answered. */
  release(): void;
};

export type BodyBudget = { shareOf(sender: string): BodyShare };

/** Bounds the memory that large bodies use at a time, per sender and in total. */
export function createBodyBudget(clock: Pick<Clock, 'now' | 'sleepUntil'>, limits: Limits = bodyBudget): BodyBudget {
  const bySender = new Map<string, number>();
  let ofAll = 0;

  const count = (sender: string, bytes: number) => {
    ofAll += bytes;
    const left = (bySender.get(sender) ?? 0) + bytes;
    if (left === 0) bySender.delete(sender);
    else bySender.set(sender, left);
  };

  return {
    shareOf(sender) {
      const slow = new AbortController();
      const arriving = new AbortController();
      let size = 0;
      let counted = 0;

      const release = () => {
        arriving.abort(hasArrived);
        if (counted > 0) count(sender, -counted);
        [size, counted] = [0, 0];
      };

      const watchSpeed = async () => {
        const { bytesPerSecond, windowSeconds } = limits.slowest;
        for (;;) {
          const before = size;
          await clock.sleepUntil(clock.now().add({ seconds: windowSeconds }), arriving.signal);
          if (arriving.signal.aborted) return;
          if (size - before >= bytesPerSecond * windowSeconds) continue;
          release();
          slow.abort(
            new TooSlow(`The body arrives more slowly than ${bytesPerSecond / kiB} KiB per second. Send less at once.`),
          );
          return;
        }
      };

      return {
        tooSlow: slow.signal,
        arrived: () => arriving.abort(hasArrived),
        release,
        add(bytes) {
          size += bytes;
          const due = Math.max(0, size - limits.free) - counted;
          if (due === 0) return;
          const used = bySender.get(sender) ?? 0;
          if (used + due > limits.ofSender)
            throw new RateLimited('Too many of your large requests are in progress. Send one after the other.', {
              retryAfterSeconds,
            });
          const isOnly = used === counted;
          if (ofAll + due > (isOnly ? limits.ofAll : limits.ofAll - limits.reserved))
            throw new Unavailable('Too many large requests are in progress: try again', { retryAfterSeconds });
          const isFirst = counted === 0;
          counted += due;
          count(sender, due);
          if (isFirst) void watchSpeed();
        },
      };
    },
  };
}

const retryAfterSeconds = 5;

/** Without a reason of its own, every request would make an error with its stack. */
const hasArrived = Symbol('The body has arrived');
