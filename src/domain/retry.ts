import type { ChannelType } from '#contract/channel-types.ts';

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/**
 * How long after failed attempt n (1-based) the next one starts, before jitter. Webhooks follow the schedule of the
 * Standard Webhooks specification. Mail follows the idea of RFC 5321, section 4.5.4.1: soon at first, then every two
 * hours.
 */
const delaysMs: Record<ChannelType, readonly number[]> = {
  webhook: [5 * seconds, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours, 14 * hours],
  email: [1, 5, 15, 30, 60].map((n) => n * minutes).concat(Array.from({ length: 10 }, () => 2 * hours)),
  sms: [5 * seconds, 30 * seconds, 2 * minutes, 10 * minutes, 30 * minutes],
  whatsapp: [5 * seconds, 30 * seconds, 2 * minutes, 10 * minutes, 30 * minutes],
  slack: [5 * seconds, 30 * seconds, 2 * minutes, 10 * minutes, 30 * minutes],
  push: [5 * seconds, 30 * seconds, 2 * minutes, 10 * minutes, 30 * minutes],
};

/** The first attempt and every retry. */
export const maxAttempts = (channel: ChannelType) => delaysMs[channel].length + 1;

/** The attempts of a job: as many as its channel with the most. */
export const maxAttemptsOf = (channels: readonly ChannelType[]) => Math.max(...channels.map(maxAttempts));

/**
 * The delay before the next attempt after attempt `attempt` failed; null when there is none. The delay that the other
 * side asked for (`retryAfterMs`) applies if it is longer, up to a day. `random` in [0, 1) adds jitter of 20 % either
 * way.
 */
export function retryDelayMs(
  channel: ChannelType,
  { attempt, retryAfterMs = 0, random }: { attempt: number; retryAfterMs?: number; random: number },
): number | null {
  const base = delaysMs[channel][attempt - 1];
  if (base === undefined) return null;
  const jittered = base * (0.8 + 0.4 * random);
  return Math.max(Math.round(jittered), Math.min(retryAfterMs, longestWaitMs));
}

const longestWaitMs = 24 * hours;
