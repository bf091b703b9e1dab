import { expect, it } from 'vitest';
import { recipientsText } from './recipients-text.ts';

it.each([
  [1_200, undefined, '1,200'],
  [2, {}, '2'],
  [0, { everyone: true }, 'everyone'],
  [2, { groups: ['a'], contacts: ['b', 'c'] }, '2 + 1 group, 2 contacts'],
  [0, { tags: ['vip', 'tenant', 'a', 'b'] }, 'vip, tenant, 2 more tags'],
])('%i recipients and the audience %j read as %s', (listed, audience, text) => {
  expect(recipientsText(listed, audience)).toBe(text);
});
