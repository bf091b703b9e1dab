import { describe, expect, it } from 'vitest';
import { channelTypes } from '#contract/channel-types.ts';
import { maxAttempts, retryDelayMs } from '#domain/retry.ts';

const minutes = 60_000;

describe('retries', () => {
  it('are eight attempts for a webhook, sixteen for mail, six for SMS and chat', () => {
    expect(Object.fromEntries(channelTypes.map((channel) => [channel, maxAttempts(channel)]))).toEqual({
      email: 16,
      sms: 6,
      whatsapp: 6,
      webhook: 8,
      slack: 6,
      push: 6,
    });
  });

  it('wait longer each time', () => {
    const waits = (channel: (typeof channelTypes)[number], count: number) =>
      Array.from(
        { length: count },
        (_, index) => (retryDelayMs(channel, { attempt: index + 1, random: 0.5 }) ?? 0) / minutes,
      );
    expect(waits('webhook', 6)).toEqual([5 / 60, 5, 30, 120, 300, 600]);
    expect(waits('email', 7)).toEqual([1, 5, 15, 30, 60, 120, 120]);
    expect(waits('sms', 5)).toEqual([5 / 60, 0.5, 2, 10, 30]);
    expect(waits('slack', 5)).toEqual(waits('sms', 5));
  });

  it('end after the last attempt of the channel', () => {
    for (const channel of channelTypes) {
      expect(retryDelayMs(channel, { attempt: maxAttempts(channel) - 1, random: 0 })).toBeGreaterThan(0);
      expect(retryDelayMs(channel, { attempt: maxAttempts(channel), random: 0 })).toBeNull();
      expect(retryDelayMs(channel, { attempt: maxAttempts(channel), random: 0, retryAfterMs: 5 })).toBeNull();
    }
  });

  it('have a jitter of a fifth either way', () => {
    expect(retryDelayMs('webhook', { attempt: 2, random: 0 })).toBe(4 * minutes);
    expect(retryDelayMs('webhook', { attempt: 2, random: 0.999_999_999 })).toBe(6 * minutes);
  });

  it('wait as long as the other side asks, if that is longer, but never more than a day', () => {
    const asked = (retryAfterMs: number) => retryDelayMs('webhook', { attempt: 1, random: 0.5, retryAfterMs });
    expect(asked(90_000)).toBe(90_000);
    expect(asked(1_000)).toBe(5_000);
    expect(asked(-1)).toBe(5_000);
    expect(asked(24 * 60 * minutes + 1)).toBe(24 * 60 * minutes);
    expect(asked(Number.MAX_VALUE)).toBe(24 * 60 * minutes);
  });
});
