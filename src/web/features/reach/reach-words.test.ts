import { expect, it } from 'vitest';
import { areReachedOtherwise, countText } from './reach-words.ts';

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
