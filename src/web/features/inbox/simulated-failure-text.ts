import type { Failure, FailureKind, SimulatedFailure } from '#contract/simulated-failures.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';

/** The failures, in the order of the form. */
export const failureChoices: readonly { value: FailureKind; label: string; sentence: string }[] = [
  {
    value: 'rate_limited',
    label: 'Too many requests',
    sentence: 'Refused with the provider’s error message and a retry time.',
  },
  { value: 'unavailable', label: 'Server error', sentence: 'Refused with a server error.' },
  { value: 'slow', label: 'Slow', sentence: 'Accepted after a delay.' },
  {
    value: 'reset',
    label: 'Connection breaks',
    sentence: 'Accepted, but the answer is lost: the delivery is unknown.',
  },
  { value: 'hang', label: 'No answer', sentence: 'Neither accepted nor answered.' },
];

/** The values of the form; numbers as text. */
export type SimulatedFailureDraft = {
  channel: SimulatedFailure['channel'];
  kind: FailureKind;
  form: 'seconds' | 'date' | 'none';
  retryAfter: number | string;
  status: '500' | '502' | '503' | '504';
  slowness: number | string;
  isCounted: boolean;
  times: number | string;
};

export const firstDraft: SimulatedFailureDraft = {
  channel: 'sms',
  kind: 'rate_limited',
  form: 'seconds',
  retryAfter: 30,
  status: '503',
  slowness: 5,
  isCounted: true,
  times: 3,
};

/** The simulated failure of a draft, not yet validated by the contract. */
export function simulatedFailureOf(draft: SimulatedFailureDraft): unknown {
  return { channel: draft.channel, failure: failureOf(draft), times: draft.isCounted ? draft.times : null };
}

function failureOf(draft: SimulatedFailureDraft): unknown {
  const { kind, form } = draft;
  switch (kind) {
    case 'rate_limited':
      return { kind, retry_after: form === 'none' ? null : { form, seconds: draft.retryAfter } };
    case 'unavailable':
      return { kind, status: Number(draft.status) };
    case 'slow':
      return { kind, seconds: draft.slowness };
    case 'reset':
    case 'hang':
      return { kind };
  }
}

/** `SMS: too many requests, retry after 30 s; 2 more times`. */
export function simulatedFailureInWords({ channel, failure, times }: SimulatedFailure): string {
  const count = times === null ? '' : `; ${times} more ${times === 1 ? 'time' : 'times'}`;
  return `${channelLooks[channel].name}: ${failure === null ? 'works normally' : failureInWords(failure)}${count}`;
}

function failureInWords(failure: Failure): string {
  switch (failure.kind) {
    case 'rate_limited':
      return failure.retry_after === null
        ? 'too many requests'
        : `too many requests, retry after ${failure.retry_after.seconds} s`;
    case 'unavailable':
      return `server error, HTTP ${failure.status}`;
    case 'slow':
      return `answers after ${failure.seconds} s`;
    case 'reset':
      return 'the connection breaks';
    case 'hang':
      return 'no answer';
  }
}
