import { expect, it } from 'vitest';
import { titleOf } from './title-of.ts';

it('the title of a reminder has no variables and no braces', () => {
  const titles = [
    ['Your rent of {{Miete}} is due', 'Your rent is due'],
    ['Rent is due', 'Rent is due'],
    ['Hello {{ first_name }}, the rent is due', 'Hello, the rent is due'],
    ['{{Miete}} is due', 'Miete is due'],
    ['{{first_name}}', 'First name'],
    ['{{amount_due | upcase}} for {{product}}', 'Amount due for product'],
    ['Move in on {{day}} at {{hour}}!', 'Move in!'],
    ['{{}}', ''],
    ['A lone {{ stays', 'A lone {{ stays'],
  ] as const;
  expect(titles.map(([subject]) => titleOf(subject))).toEqual(titles.map(([, title]) => title));
  expect(titleOf(' {{'.repeat(5_000)).length).toBeGreaterThan(0);
});
