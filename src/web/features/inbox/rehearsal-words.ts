import type { Failure, FailureKind, Rehearsal } from '#contract/rehearsals.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';

/** The failures in the order in which they are offered. */
export const failureChoices: readonly { value: FailureKind; label: string; sentence: string }[] = [
  {
    value: 'rate_limited',
    label: 'Too many requests',
    sentence: 'Refused with the provider’s words for it, and when to come again.',
  },
  { value: 'unavailable', label: 'Out of order', sentence: 'Refused with a fault of the provider’s own.' },
  { value: 'slow', label: 'Slow', sentence: 'Taken, and answered late.' },
  {
    value: 'reset',
    label: 'Connection breaks',
    sentence: 'Taken, but nobody hears the answer: the delivery is unknown.',
  },
  { value: 'hang', label: 'No answer', sentence: 'Neither taken nor ever answered.' },
];

/** What somebody chooses in the form; numbers as they are typed. */
export type RehearsalDraft = {
  channel: Rehearsal['channel'];
  kind: FailureKind;
  form: 'seconds' | 'date' | 'none';
  retryAfter: number | string;
  status: '500' | '502' | '503' | '504';
  slowness: number | string;
  isCounted: boolean;
  times: number | string;
};

export const firstDraft: RehearsalDraft = {
  channel: 'sms',
  kind: 'rate_limited',
  form: 'seconds',
  retryAfter: 30,
  status: '503',
  slowness: 5,
  isCounted: true,
  times: 3,
};

/** The rehearsal that a draft means; its shape is for the contract to check. */
export function rehearsalOf(draft: RehearsalDraft): unknown {
  return { channel: draft.channel, failure: failureOf(draft), times: draft.isCounted ? draft.times : null };
}

function failureOf(draft: RehearsalDraft): unknown {
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
export function rehearsalInWords({ channel, failure, times }: Rehearsal): string {
  const count = times === null ? '' : `; ${times} more ${times === 1 ? 'time' : 'times'}`;
  return `${channelLooks[channel].name}: ${failure === null ? 'as it should be' : failureInWords(failure)}${count}`;
}

function failureInWords(failure: Failure): string {
  switch (failure.kind) {
    case 'rate_limited':
      return failure.retry_after === null
        ? 'too many requests'
        : `too many requests, retry after ${failure.retry_after.seconds} s`;
    case 'unavailable':
      return `out of order, HTTP ${failure.status}`;
    case 'slow':
      return `answers after ${failure.seconds} s`;
    case 'reset':
      return 'the connection breaks';
    case 'hang':
      return 'no answer';
  }
}
