import { expect, it } from 'vitest';
import { areReachedOtherwise, countText, leftButRequiredText, sequencesText } from './reach-words.ts';

it('somebody who gets it over another channel is told with that channel, and is no fault', () => {
  const lack = { kind: 'no_address', of: 'phone', people: 3 } as const;
  expect(countText(lack)).toBe('3 have no phone');
  expect(areReachedOtherwise(lack)).toBe(false);
  const all = { ...lack, reached_by: { people: 3, channels: ['email' as const] } };
  expect(countText(all)).toBe('3 have no phone, reached by email');
  expect(areReachedOtherwise(all)).toBe(true);
  const some = { ...lack, reached_by: { people: 2, channels: ['sms' as const, 'whatsapp' as const] } };
  expect(countText(some)).toBe('3 have no phone, 2 of them reached by SMS or WhatsApp');
  expect(areReachedOtherwise(some)).toBe(false);
});

it('somebody who opted out is counted with the channel, and beside those whom a required topic reaches all the same', () => {
  expect(countText({ kind: 'no_consent', of: 'sms', people: 12 })).toBe('12 have not agreed to SMS');
  expect(countText({ kind: 'no_consent', of: 'whatsapp', people: 1 })).toBe('1 has not agreed to WhatsApp');
  expect(countText({ kind: 'left_topic', of: 'email', people: 2 })).toBe('2 opted out of this');
  expect(countText({ kind: 'left_topic', of: 'sms', people: 1 })).toBe('1 opted out of this for SMS');
  expect([1, 1_200].map(leftButRequiredText)).toEqual([
    '1 of them has left optional messages, and gets it because its topic is required.',
    '1,200 of them have left optional messages, and get it because its topic is required.',
  ]);
});

it('the channels that take over are named, and so is for whom none does', () => {
  expect(sequencesText([])).toBeNull();
  expect(sequencesText([{ channels: ['email', 'sms'], people: 12 }])).toBe('In order: email, then SMS.');
  expect(
    sequencesText([
      { channels: ['webhook'], people: 1 },
      { channels: ['sms'], people: 1 },
    ]),
  ).toBe('No channel takes over if one fails: 1 by webhook only; 1 by SMS only.');
  expect(
    sequencesText([
      { channels: ['email', 'sms', 'whatsapp'], people: 1_200 },
      { channels: ['email'], people: 3 },
    ]),
  ).toBe(
    'In order: 1,200 by email, then SMS, then WhatsApp; 3 by email only. For those with one channel, none takes over if it fails.',
  );
});
