import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { ReasonParams } from '#contract/reason-params.ts';
import { codeOfAnswer } from '#domain/answer-codes.ts';
import { expiredBeforeRetry, expiredWaiting, gaveUp, type Reason, triedEnough } from '#domain/ledger-reasons.ts';
import type { Outcome } from '#domain/outcome.ts';
import { retryDelayMs } from '#domain/retry.ts';

/** The ledger's state after an attempt: a final status, or `waiting` with the time of the next attempt. */
export type Settled = {
  status: Exclude<DeliveryStatus, 'queued' | 'sending'>;
  /** The code of `reason`; null without one. */
  code: ReasonCode | null;
  /** What the code is about; null for codes that have no parameters. */
  params: ReasonParams | null;
  reason: string | null;
  receipt: string | null;
  answer: string | null;
  nextAttemptAt: Temporal.Instant | null;
  isUnknown: boolean;
};

/** Instants are epoch milliseconds. */
type Attempt = {
  channel: ChannelType;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** Earlier attempts of this delivery that ended without an answer. */
  unknowns: number;
  nowMs: number;
  /** No attempt begins at or after this. */
  expiresAtMs: number;
  /** A random number in [0, 1), for jitter. */
  random: number;
  /** The workspace prefers to miss an SMS or chat message rather than send it twice. */
  prefersMiss?: boolean;
  /** When a message that is due at a time may be sent, for workspaces with sending hours. */
  opensAtMs?: (dueMs: number) => number;
  /** True when `expiresAtMs` ends only this channel, because another one follows. */
  hasFallback?: boolean;
};

/**
 * Decides the state after an attempt. Text from the other side is kept without the NUL character, so that any store
 * takes it. A delivery is never recorded as failed if one of its attempts may have arrived.
 */
export function settle(outcome: Outcome, attempt: Attempt): Settled {
  const settled = unlessArrived(settleByKind(outcome, attempt), attempt);
  settled.reason = withoutNul(settled.reason);
  settled.receipt = withoutNul(settled.receipt);
  settled.answer = withoutNul(settled.answer);
  return settled;
}

const withoutNul = (text: string | null) => (text?.includes('\0') ? text.replaceAll('\0', '') : text);

function settleByKind(outcome: Outcome, attempt: Attempt): Settled {
  switch (outcome.outcome) {
    case 'accepted':
    case 'delivered':
      return { ...ended(outcome.outcome, null), receipt: outcome.receipt, answer: outcome.answer };
    case 'skipped':
      return ended('skipped', outcome);
    case 'failed': {
      const { reason, params, answer = null, retryAfterMs } = outcome;
      const code = outcome.code ?? codeOfAnswer(attempt.channel, { reason, answer });
      const cause: Reason = { code, reason, ...(params && { params }) };
      return {
        ...(outcome.permanent ? ended('failed', cause) : settleTemporary(cause, { attempt, retryAfterMs })),
        answer,
      };
    }
    case 'unknown':
      return settleUnknown({ code: outcome.code ?? 'unconfirmed', reason: outcome.reason }, attempt);
    default:
      return outcome satisfies never;
  }
}

const openingMs = (dueMs: number, { opensAtMs }: Pick<Attempt, 'opensAtMs'>) => opensAtMs?.(dueMs) ?? dueMs;

const unlessArrived = (settled: Settled, { unknowns }: { unknowns: number }): Settled =>
  settled.status === 'failed' && unknowns > 0 ? { ...settled, status: 'unknown' } : settled;

const ended = (status: Settled['status'], cause: Reason | null): Settled => ({
  status,
  code: cause?.code ?? null,
  params: cause?.params ?? null,
  reason: cause?.reason ?? null,
  receipt: null,
  answer: null,
  nextAttemptAt: null,
  isUnknown: false,
});

const waiting = (cause: Reason, nextMs: number): Settled => ({
  ...ended('waiting', cause),
  nextAttemptAt: Temporal.Instant.fromEpochMilliseconds(nextMs),
});

function settleTemporary(
  cause: Reason,
  { attempt, retryAfterMs }: { attempt: Attempt; retryAfterMs: number | undefined },
): Settled {
  const delayMs = retryDelayMs(attempt.channel, {
    attempt: attempt.attempt,
    random: attempt.random,
    retryAfterMs,
  });
  if (delayMs === null) return ended('failed', gaveUp(cause, attempt.attempt));
  const nextMs = openingMs(attempt.nowMs + delayMs, attempt);
  if (nextMs >= attempt.expiresAtMs)
    return ended('failed', attempt.hasFallback === true ? triedEnough(cause) : expiredBeforeRetry(cause));
  return waiting(cause, nextMs);
}

/**
 * The message may have arrived. A webhook is sent again under the same webhook-id, which its receiver can recognise;
 * mail once more under the same Message-ID; everything else once more, because a missed reminder is worse than a
 * duplicate, unless the workspace prefers the opposite. The delay is the channel's retry schedule: a receiver that does
 * not answer is not asked sooner than one that refuses.
 */
function settleUnknown(cause: Reason, attempt: Attempt): Settled {
  const isRecognised = attempt.channel === 'webhook' || attempt.channel === 'email';
  const mayResend =
    attempt.channel === 'webhook' || (attempt.unknowns === 0 && (isRecognised || attempt.prefersMiss !== true));
  const delayMs = retryDelayMs(attempt.channel, { attempt: attempt.attempt, random: attempt.random });
  const nextMs = mayResend && delayMs !== null ? openingMs(attempt.nowMs + delayMs, attempt) : null;
  if (nextMs === null || nextMs >= attempt.expiresAtMs) return { ...ended('unknown', cause), isUnknown: true };
  return { ...waiting(cause, nextMs), isUnknown: true };
}

/** Settles a delivery that is deferred: it waits, or has failed if it expires before then. */
export function settleDeferred(
  later: { atMs: number } & Reason,
  attempt: Pick<Attempt, 'expiresAtMs' | 'unknowns' | 'hasFallback' | 'opensAtMs'>,
): Settled {
  const nextMs = openingMs(later.atMs, attempt);
  return nextMs >= attempt.expiresAtMs
    ? unlessArrived(ended('failed', expiredWaiting(later, { hasFallback: attempt.hasFallback === true })), attempt)
    : waiting(later, nextMs);
}
