import type { PacedChannel } from '#engine/run.ts';
import type { EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

/** When so many may start, in milliseconds since 1970, and when the rest comes back. */
export type Turns = { startsAt: readonly number[]; rest: { at: Temporal.Instant; reason: string } };

/** A little before the next time is free: to claim takes a moment as well. */
const aheadMs = 200;
const longestAbsenceMs = 30_000;
const longestHoldMs = 3_600_000;

export const waitsForTurn = 'Waits for its turn';

type Channel = {
  /** When it was last looked at: before that, the clock was set back. */
  seenAtMs: number;
  /** The times up to then are given away. */
  fullUntilMs: number;
  /** Jobs that came in vain, and when they did so last. */
  waiting: Map<string, number>;
  /** Jobs that had their share of the second, and until when. */
  served: Map<string, number>;
};

/**
 * The turns of limited channels. All workers take them from the database, a second's worth at the most, so that hardly
 * anything has to be let go where a job is called off; who gets none comes back later, and holds no place meanwhile. A long
 * list leaves the other jobs their share.
 */
export function createPaces({ store, clock, log }: { store: EngineStore; clock: Clock; log: Log }) {
  const channels = new Map<string, Channel>();

  function channelOf({ id }: PacedChannel): Channel {
    const known = channels.get(id);
    if (known !== undefined) return known;
    const made: Channel = { seenAtMs: 0, fullUntilMs: 0, waiting: new Map(), served: new Map() };
    channels.set(id, made);
    return made;
  }

  async function take(paced: PacedChannel, { count, jobId }: { count: number; jobId: string }): Promise<Turns> {
    const channel = channelOf(paced);
    const nowMs = clock.epochMs();
    forget(channel, nowMs);
    if (nowMs < Math.max(channel.fullUntilMs, channel.served.get(jobId) ?? 0))
      return { startsAt: [], rest: later(paced, jobId) };
    channel.waiting.delete(jobId);
    const share = Math.max(1, Math.floor(paced.ratePerSecond / (channel.waiting.size + 1)));
    const wish = channel.waiting.size === 0 ? count : Math.min(count, share);
    const times = await store.takeTimes(paced, { count: wish, now: clock.now() });
    const firstMs = times.first.epochMilliseconds;
    const startsAt = Array.from({ length: times.count }, (_, n) => firstMs + (n * 1_000) / paced.ratePerSecond);
    if (times.count < wish) channel.fullUntilMs = Math.max(times.next.epochMilliseconds - aheadMs, nowMs + 1);
    else if (wish < count) channel.served.set(jobId, nowMs + 1_000);
    return { startsAt, rest: times.count < count ? later(paced, jobId) : { at: clock.now(), reason: turnText(paced) } };
  }

  /** Behind the jobs that came in vain before, so that not everybody comes back for the same few turns. */
  function later(paced: PacedChannel, jobId: string): Turns['rest'] {
    const { waiting, served, fullUntilMs } = channelOf(paced);
    waiting.set(jobId, clock.epochMs());
    const place = [...waiting.keys()].indexOf(jobId);
    const fromMs = Math.max(fullUntilMs, served.get(jobId) ?? 0, clock.epochMs());
    const absenceMs = Math.min((place * 1_000) / paced.ratePerSecond, longestAbsenceMs);
    return { at: Temporal.Instant.fromEpochMilliseconds(Math.ceil(fromMs + absenceMs)), reason: turnText(paced) };
  }

  /**
   * Who was not seen again has been called off, or is another worker's. Where the clock was set back, nothing of all this
   * says anything: it would make hours of a second.
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

  /** What a provider asks of one message, it asks of all that go over the channel. */
  function hold(channel: PacedChannel, forMs: number): void {
    const until = clock.now().add({ milliseconds: Math.min(Math.ceil(forMs), longestHoldMs) });
    channelOf(channel).fullUntilMs = until.epochMilliseconds;
    store
      .holdChannel(channel, until)
      .catch((error: unknown) => log.warn({ error: String(error) }, 'other workers could not be told of a rest'));
  }

  return { take, hold };
}

export type Paces = ReturnType<typeof createPaces>;

export const turnText = ({ ratePerSecond: rate }: PacedChannel) =>
  `${waitsForTurn}: the channel sends ${rate} ${rate === 1 ? 'message' : 'messages'} per second`;
