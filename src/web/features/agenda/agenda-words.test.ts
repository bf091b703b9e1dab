import { expect, it } from 'vitest';
import { addresseesText, nearDayText } from './agenda-words.ts';

it('says to whom an occurrence goes: people of an audience, listed recipients, or both', () => {
  expect(addresseesText({ people: 184, recipients: 0 })).toBe('184 in its audience');
  expect(addresseesText({ people: 1, recipients: 1_200 })).toBe('1 in its audience and 1,200 recipients');
  expect(addresseesText({ people: null, recipients: 2 })).toBe('its audience and 2 recipients');
  expect(addresseesText({ people: 0, recipients: 0 })).toBe('');
});

it('names today and tomorrow', () => {
  expect(['2026-12-31', '2027-01-01', '2027-01-02'].map((day) => nearDayText(day, '2026-12-31'))).toEqual([
    'Today',
    'Tomorrow',
    null,
  ]);
});
