import { expect, it } from 'vitest';
import { completed, distinctNames, namesLike, openedAt, spellingIn, withoutNames } from './variable-names.ts';

it.each([
  ['Hello {{', 8, { from: 6, typed: '' }],
  ['Hello {{ rec', 12, { from: 6, typed: 'rec' }],
  ['{{a}} {{Move In', 15, { from: 6, typed: 'Move In' }],
  ['{{amount}}', 4, { from: 0, typed: 'am' }],
  ['{{amount}} due', 14, null],
  ['Hello {', 7, null],
  ['{{ amount | ', 12, null],
  [`{{${'a'.repeat(200)}`, 202, null],
])('in %j at %i a placeholder is open: %j', (text, cursor, opened) => {
  expect(openedAt(text, cursor)).toEqual(opened);
});

it('names are found by what was typed, without case, spaces and underscores', () => {
  const names = ['amount', 'due_date', 'move_in_date', 'date_of_birth'];
  expect(namesLike(names, { typed: 'Date', limit: 9 })).toEqual(['date_of_birth', 'due_date', 'move_in_date']);
  expect(namesLike(names, { typed: 'Move in', limit: 9 })).toEqual(['move_in_date']);
  expect(namesLike(names, { typed: '', limit: 2 })).toEqual(['amount', 'due_date']);
});

it('a chosen name replaces what was typed, also in a placeholder that is closed already', () => {
  expect(completed('Pay {{am now', { from: 4, cursor: 8, name: 'amount' })).toEqual({
    text: 'Pay {{amount}} now',
    cursor: 14,
  });
  expect(completed('Pay {{am}} now', { from: 4, cursor: 8, name: 'amount' }).text).toBe('Pay {{amount}} now');
});

it('spellings of one name are one', () => {
  expect(withoutNames(['Amount', 'flat'], ['amount'])).toEqual(['flat']);
  expect(distinctNames(['Amount', 'flat', 'amount'])).toEqual(['Amount', 'flat']);
  expect(spellingIn({ Amount: '' }, 'amount')).toBe('Amount');
  expect(spellingIn({}, 'amount')).toBe('amount');
});
