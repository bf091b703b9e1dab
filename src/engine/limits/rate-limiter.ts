import { waitsForRateLimit } from '#domain/ledger-reasons.ts';
import type { RateLimitedChannel } from '#engine/run/routes.ts';
import type { Deferral } from '#engine/run/live-delivery.ts';
import type { EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

/** The rate slots that were reserved, in epoch milliseconds, and when the messages without one may try again. */
export type RateSlots = { startsAt: readonly number[]; deferral: Deferral };

/** How long before the next free slot a job is claimed again, because claiming takes a moment. */
const aheadMs = 200;
const longestAbsenceMs = 30_000;
const longestBackoffMs = 3_600_000;

type Channel = {
  /** When the channel was last used. An earlier time than this means that the clock was set back. */
  seenAtMs: number;
  /** All slots up to then are taken. */
  fullUntilMs: number;
  /** Jobs that found no slot, and when they last tried. */
  waiting: Map<string, number>;
  /** Jobs that used their share of the second, and until when. */
  served: Map<string, number>;
};

/**
 * Reserves rate slots of rate-limited channels in the database, for all workers. A call reserves a second's worth at
 * most, so that a cancelled job wastes few slots. A job without a slot comes back later and holds no worker slot
 * meanwhile. A long list of recipients leaves a share to the other jobs.
 */
export function createRateLimiter({ store, clock, log }: { store: EngineStore; clock: Clock; log: Log }) {
  const channels = new Map<string, Channel>();

  function channelOf({ id }: RateLimitedChannel): Channel {
    const known = channels.get(id);
    if (known !== undefined) return known;
    const made: Channel = { seenAtMs: 0, fullUntilMs: 0, waiting: new Map(), served: new Map() };
    channels.set(id, made);
    return made;
  }

  async function take(
    limited: RateLimitedChannel,
    { count, jobId }: { count: number; jobId: string },
  ): Promise<RateSlots> {
    const channel = channelOf(limited);
    const nowMs = clock.epochMs();
    forget(channel, nowMs);
    if (nowMs < Math.max(channel.fullUntilMs, channel.served.get(jobId) ?? 0))
      return { startsAt: [], deferral: defer(limited, jobId) };
    channel.waiting.delete(jobId);
    const share = Math.max(1, Math.floor(limited.ratePerSecond / (channel.waiting.size + 1)));
    const wish = channel.waiting.size === 0 ? count : Math.min(count, share);
    const times = await store.takeTimes(limited, { count: wish, now: clock.now() });
    const firstMs = times.first.epochMilliseconds;
    const startsAt = Array.from({ length: times.count }, (_, n) => firstMs + (n * 1_000) / limited.ratePerSecond);
    if (times.count < wish) channel.fullUntilMs = Math.max(times.next.epochMilliseconds - aheadMs, nowMs + 1);
    else if (wish < count) channel.served.set(jobId, nowMs + 1_000);
    return {
      startsAt,
      deferral:
        times.count < count ? defer(limited, jobId) : { atMs: nowMs, ...waitsForRateLimit(limited.ratePerSecond) },
    };
  }

  /** Queues the job behind those that found no slot before, so that they do not all compete for the same few slots. */
  function defer(limited: RateLimitedChannel, jobId: string): Deferral {
    const { waiting, served, fullUntilMs } = channelOf(limited);
    waiting.set(jobId, clock.epochMs());
    const position = [...waiting.keys()].indexOf(jobId);
    const fromMs = Math.max(fullUntilMs, served.get(jobId) ?? 0, clock.epochMs());
    const absenceMs = Math.min((position * 1_000) / limited.ratePerSecond, longestAbsenceMs);
    return { atMs: Math.ceil(fromMs + absenceMs), ...waitsForRateLimit(limited.ratePerSecond) };
  }

  /**
   * Forgets jobs that have not come back: they were cancelled, or belong to another worker. When the clock was set back
   * all of this state is void: it would turn a second into hours.
   */
  function forget(channel: Channel, nowMs: number): void {
    const { waiting, served, seenAtMs } = channel;
    channel.seenAtMs = nowMs;
    if (nowMs < seenAtMs) {
      channel.fullUntilMs = 0;
      waiting.clear();
      served.clear();
    }
    for (const [jobId, atMs] of waiting) if (nowMs - atMs > 2 * longestAbsenceMs) waiting.delete(jobId);
    for (const [jobId, untilMs] of served) if (untilMs <= nowMs) served.delete(jobId);
  }

  /** Applies a Retry-After, which a provider sent for one message, to all messages of the channel. */
  function backOff(channel: RateLimitedChannel, forMs: number): void {
    const until = clock.now().add({ milliseconds: Math.min(Math.ceil(forMs), longestBackoffMs) });
    channelOf(channel).fullUntilMs = until.epochMilliseconds;
    store
      .backOffChannel(channel, until)
      .catch((error: unknown) =>
        log.warn({ error: String(error) }, 'a back-off could not be shared with other workers'),
      );
  }

  return { take, backOff };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;
