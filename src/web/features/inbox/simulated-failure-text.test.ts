import { describe, expect, it } from 'vitest';
import { SimulatedFailure } from '#contract/simulated-failures.ts';
import {
  failureChoices,
  firstDraft,
  type SimulatedFailureDraft,
  simulatedFailureInWords,
  simulatedFailureOf,
} from './simulated-failure-text.ts';

const wordsOf = (changes: Partial<SimulatedFailureDraft>) =>
  simulatedFailureInWords(SimulatedFailure.parse(simulatedFailureOf({ ...firstDraft, ...changes })));

describe('a simulated failure', () => {
  it.each<[Partial<SimulatedFailureDraft>, string]>([
    [{}, 'SMS: too many requests, retry after 30 s; 3 more times'],
    [{ form: 'none', times: 1 }, 'SMS: too many requests; 1 more time'],
    [{ kind: 'unavailable', status: '502', channel: 'email', isCounted: false }, 'Email: server error, HTTP 502'],
    [{ kind: 'slow', slowness: 9, isCounted: false }, 'SMS: answers after 9 s'],
    [{ kind: 'reset', isCounted: false }, 'SMS: the connection breaks'],
    [{ kind: 'hang', isCounted: false, channel: 'whatsapp' }, 'WhatsApp: no answer'],
  ])('of %o is shown as “%s”', (changes, words) => {
    expect(wordsOf(changes)).toBe(words);
  });

  it.each<Partial<SimulatedFailureDraft>>([{ times: '' }, { retryAfter: 0 }, { kind: 'slow', slowness: 121 }])(
    'is refused with %o',
    (changes) => {
      expect(SimulatedFailure.safeParse(simulatedFailureOf({ ...firstDraft, ...changes })).success).toBe(false);
    },
  );

  it('is offered for every kind of failure', () => {
    for (const { value } of failureChoices)
      expect(SimulatedFailure.safeParse(simulatedFailureOf({ ...firstDraft, kind: value })).success).toBe(true);
  });
});
