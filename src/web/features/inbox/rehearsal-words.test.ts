import { describe, expect, it } from 'vitest';
import { Rehearsal } from '#contract/rehearsals.ts';
import { failureChoices, firstDraft, type RehearsalDraft, rehearsalInWords, rehearsalOf } from './rehearsal-words.ts';

const wordsOf = (changes: Partial<RehearsalDraft>) =>
  rehearsalInWords(Rehearsal.parse(rehearsalOf({ ...firstDraft, ...changes })));

describe('a rehearsal', () => {
  it.each<[Partial<RehearsalDraft>, string]>([
    [{}, 'SMS: too many requests, retry after 30 s; 3 more times'],
    [{ form: 'none', times: 1 }, 'SMS: too many requests; 1 more time'],
    [{ kind: 'unavailable', status: '502', channel: 'email', isCounted: false }, 'Email: out of order, HTTP 502'],
    [{ kind: 'slow', slowness: 9, isCounted: false }, 'SMS: answers after 9 s'],
    [{ kind: 'reset', isCounted: false }, 'SMS: the connection breaks'],
    [{ kind: 'hang', isCounted: false, channel: 'whatsapp' }, 'WhatsApp: no answer'],
  ])('of %o is told as “%s”', (changes, words) => {
    expect(wordsOf(changes)).toBe(words);
  });

  it.each<Partial<RehearsalDraft>>([{ times: '' }, { retryAfter: 0 }, { kind: 'slow', slowness: 121 }])(
    'is not taken with %o',
    (changes) => {
      expect(Rehearsal.safeParse(rehearsalOf({ ...firstDraft, ...changes })).success).toBe(false);
    },
  );

  it('is offered for every kind of failure', () => {
    for (const { value } of failureChoices)
      expect(Rehearsal.safeParse(rehearsalOf({ ...firstDraft, kind: value })).success).toBe(true);
  });
});
