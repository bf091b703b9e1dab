import { describe, expect, it } from 'vitest';
import type { ChannelType } from '#contract/channel-types.ts';
import { destinationIsBusy, expiredWaiting, onSuppressionList, workerWasLost } from '#domain/ledger-reasons.ts';
import type { Outcome } from '#domain/outcome.ts';
import { maxAttempts } from '#domain/retry.ts';
import { settle, settleDeferred } from '#domain/settle.ts';

const nowMs = Date.parse('2026-03-02T09:00:00Z');
const seconds = 1_000;
const hours = 3_600 * seconds;

function settled(
  outcome: Outcome,
  {
    channel = 'webhook',
    ...rest
  }: { channel?: ChannelType; attempt?: number; unknowns?: number; expiresAtMs?: number } = {},
) {
  const { nextAttemptAt, ...row } = settle(outcome, {
    channel,
    attempt: 1,
    unknowns: 0,
    nowMs,
    expiresAtMs: nowMs + 24 * hours,
    random: 0.5,
    ...rest,
  });
  return { ...row, waitsSeconds: nextAttemptAt === null ? null : (nextAttemptAt.epochMilliseconds - nowMs) / seconds };
}

const refused = (more: Partial<Extract<Outcome, { outcome: 'failed' }>> = {}): Outcome => ({
  outcome: 'failed',
  reason: 'HTTP 500',
  permanent: false,
  ...more,
});
const unanswered: Outcome = { outcome: 'unknown', reason: 'The connection was reset' };
const out = { code: 'receiver_error', reason: 'HTTP 500' };
const bare = { params: null, receipt: null, answer: null, isUnknown: false, waitsSeconds: null };

describe('an attempt', () => {
  it("that was refused keeps the provider's answer besides the reason", () => {
    const answer = 'HTTP 500: out of order';
    expect(settled(refused({ permanent: true, answer }))).toMatchObject({
      status: 'failed',
      reason: 'HTTP 500',
      answer,
    });
    expect(settled(refused({ answer }))).toMatchObject({ status: 'waiting', reason: 'HTTP 500', answer });
  });

  it('that was accepted or delivered ends there, with receipt and answer', () => {
    for (const outcome of ['accepted', 'delivered'] as const)
      expect(settled({ outcome, receipt: 'r-1', answer: 'thanks' })).toEqual({
        ...bare,
        status: outcome,
        code: null,
        reason: null,
        receipt: 'r-1',
        answer: 'thanks',
      });
  });

  it('that was skipped ends there, with its reason', () => {
    expect(settled({ outcome: 'skipped', ...onSuppressionList })).toEqual({
      ...bare,
      status: 'skipped',
      ...onSuppressionList,
    });
  });

  it('that was refused permanently is never tried again', () => {
    expect(settled(refused({ permanent: true, reason: 'HTTP 404', retryAfterMs: 5 }))).toEqual({
      ...bare,
      status: 'failed',
      code: 'no_such_url',
      reason: 'HTTP 404',
    });
  });

  it('has the code of its outcome, else that of what the other side answered', () => {
    expect(settled(refused({ permanent: true, code: 'missing_value', reason: 'HTTP 404' })).code).toBe('missing_value');
    expect(settled(refused({ reason: '452 4.2.2 full' }), { channel: 'email' }).code).toBe('mailbox_full');
    expect(settled(unanswered).code).toBe('unconfirmed');
    expect(settled({ outcome: 'unknown', ...workerWasLost }).code).toBe('worker_lost');
  });
});

describe('a temporary refusal', () => {
  it('waits for the next attempt of its channel', () => {
    expect(settled(refused())).toEqual({ ...bare, status: 'waiting', ...out, waitsSeconds: 5 });
    expect(settled(refused(), { attempt: 2 }).waitsSeconds).toBe(300);
    expect(settled(refused(), { channel: 'email' }).waitsSeconds).toBe(60);
  });

  it('fails when the attempts are used up, and says how many there were', () => {
    for (const channel of ['webhook', 'email', 'sms'] as const) {
      const attempt = maxAttempts(channel);
      expect(settled(refused(), { channel, attempt })).toEqual({
        ...bare,
        status: 'failed',
        code: settled(refused(), { channel }).code,
        reason: `HTTP 500 (gave up after ${attempt} attempts)`,
      });
    }
  });

  it('waits as long as the other side asks, at most a day', () => {
    expect(settled(refused({ retryAfterMs: 90_000 })).waitsSeconds).toBe(90);
    const nextWeek = nowMs + 24 * 7 * hours;
    expect(settled(refused({ retryAfterMs: Number.MAX_VALUE }), { expiresAtMs: nextWeek }).waitsSeconds).toBe(86_400);
  });

  it('fails when its message would be outdated by the next attempt', () => {
    const failed = { ...bare, ...out, status: 'failed', reason: 'HTTP 500 (expired before the next attempt)' };
    expect(settled(refused(), { expiresAtMs: nowMs + 5 * seconds })).toEqual(failed);
    expect(settled(refused(), { expiresAtMs: nowMs + 6 * seconds }).status).toBe('waiting');
    expect(settled(refused({ retryAfterMs: 86_400_000 }))).toEqual(failed);
  });
});

describe('an attempt after one without an answer', () => {
  const maybe = { ...bare, ...out, status: 'unknown' };

  it('stays unknown, however it is refused', () => {
    expect(settled(refused({ permanent: true }), { attempt: 2, unknowns: 1 })).toEqual({
      ...maybe,
    });
    expect(settled(refused(), { attempt: maxAttempts('webhook'), unknowns: 3 })).toEqual({
      ...maybe,
      reason: 'HTTP 500 (gave up after 8 attempts)',
    });
  });

  it('is tried again like any other, and ends when it arrives', () => {
    expect(settled(refused(), { attempt: 2, unknowns: 1 })).toMatchObject({ status: 'waiting', waitsSeconds: 300 });
    const accepted: Outcome = { outcome: 'accepted', receipt: 'r-1', answer: 'thanks' };
    expect(settled(accepted, { attempt: 2, unknowns: 1 }).status).toBe('accepted');
  });
});

describe('an attempt that is deferred', () => {
  const later = { atMs: nowMs + 30 * seconds, ...destinationIsBusy };

  it('waits until then', () => {
    expect(settleDeferred(later, { expiresAtMs: nowMs + 24 * hours, unknowns: 0 })).toMatchObject({
      status: 'waiting',
      ...destinationIsBusy,
      nextAttemptAt: Temporal.Instant.fromEpochMilliseconds(later.atMs),
    });
  });

  it('has failed when it expires before then, unless an earlier one may have arrived', () => {
    const { reason } = expiredWaiting(destinationIsBusy, { hasFallback: false });
    expect(reason).toBe('The destination is busy with earlier messages (expired before it could be tried)');
    expect(settleDeferred(later, { expiresAtMs: later.atMs, unknowns: 0 })).toMatchObject({
      status: 'failed',
      code: 'expired',
      reason,
    });
    expect(settleDeferred(later, { expiresAtMs: later.atMs, unknowns: 1 })).toMatchObject({
      status: 'unknown',
      reason,
    });
  });
});

describe('an attempt without an answer', () => {
  const unknown = {
    ...bare,
    status: 'unknown',
    code: 'unconfirmed',
    reason: 'The connection was reset',
    isUnknown: true,
  };
  const waiting = { ...unknown, status: 'waiting' };

  it('is sent once more by mail, SMS and chat', () => {
    for (const [channel, waitsSeconds] of [
      ['email', 60],
      ['sms', 5],
      ['whatsapp', 5],
      ['slack', 5],
      ['push', 5],
    ] as const) {
      expect(settled(unanswered, { channel })).toEqual({ ...waiting, waitsSeconds });
      expect(settled(unanswered, { channel, attempt: 2, unknowns: 1 })).toEqual(unknown);
    }
  });

  it('is sent again to a webhook as often as a refusal, and no faster', () => {
    for (let attempt = 1; attempt < maxAttempts('webhook'); attempt += 1) {
      const nextMonth = { expiresAtMs: nowMs + 24 * 30 * hours };
      const { waitsSeconds } = settled(refused(), { attempt, ...nextMonth });
      expect(settled(unanswered, { attempt, unknowns: attempt - 1, ...nextMonth })).toEqual({
        ...waiting,
        waitsSeconds,
      });
    }
    expect(settled(unanswered, { attempt: 8, unknowns: 7 })).toEqual(unknown);
  });

  it('stays unknown when the message would be outdated, or the attempts are used up', () => {
    expect(settled(unanswered, { expiresAtMs: nowMs + 5 * seconds })).toEqual(unknown);
    expect(settled(unanswered, { channel: 'sms', attempt: 6 })).toEqual(unknown);
  });
});
