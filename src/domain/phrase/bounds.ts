import { amount, amountOf, month, monthRange, months, monthsOf } from './calendar-words.ts';
import { dateOf, saidDate, unitOf } from './dates.ts';
import { sticky } from './line.ts';
import type { Reading, Recogniser } from './pieces.ts';
import { days, range } from './rhythm-patterns.ts';
import { listOf, rangeOf } from './rhythm-readings.ts';

const hour = (name: string) => String.raw`(?<${name}>\d{1,2})(?::00)? ?(?<${name}Half>[ap]m)?`;
const notMonths = String.raw`(?! ?\d)`;

/** Recognises from when until when something repeats, and which days, months or hours are left out. */
export const boundRecognisers: Recogniser[] = [
  {
    pattern: sticky(
      `(?:starting|beginning|begins?|starts?|commencing|effective|as of|from)(?: on| from)?(?: the)? (?<date>${saidDate})(?: on(?:wards?)?)?`,
    ),
    read: ({ groups }) => ({ kind: 'start', date: dateOf(groups.date ?? '') }),
  },
  {
    pattern: sticky(`(?:until|till|til|through|up to|ending(?: on)?|ends(?: on)?)(?: the)? (?<date>${saidDate})`),
    read: ({ groups }) => ({ kind: 'end', date: dateOf(groups.date ?? '') }),
  },
  {
    // `from 1 June to 31 August`
    pattern: sticky(`to(?: the)? (?<date>${saidDate})`),
    read: ({ groups }, { previous }) =>
      previous?.kind === 'start' ? { kind: 'end', date: dateOf(groups.date ?? '') } : null,
  },
  {
    pattern: sticky(`for (?:the next )?(?<amount>${amount}) (?<unit>minute|hour|day|week|month|year)s?`),
    read: ({ groups }) => ({
      kind: 'end',
      date: { kind: 'span', amount: amountOf(groups.amount), unit: unitOf(groups.unit ?? '') },
    }),
  },
  {
    pattern: sticky(
      String.raw`(?:between|from) ${hour('from')} (?:and|to|until|till|-|–) ${hour('to')}(?:\s?o['’]clock)?`,
    ),
    read: ({ groups }) => windowOf(groups),
  },
  {
    // Without `from`, only hours that cannot mean anything else.
    pattern: sticky(
      String.raw`(?<from>\d{1,2})(?::00| ?(?<fromHalf>[ap]m))\s*(?:-|–|to)\s*(?<to>\d{1,2})(?::00| ?(?<toHalf>[ap]m))`,
    ),
    read: ({ groups }) => windowOf(groups),
  },
  {
    pattern: sticky(
      `(?:but|except|excepting|excluding|other than|apart from|not|without)(?: for)?(?: not)?(?: (?:on|every|the))* (?<days>${range}|${days}|weekends?|weekdays?)`,
    ),
    read: ({ groups }) => ({ kind: 'except', weekdays: weekdaysIn(groups.days ?? ''), months: [] }),
  },
  {
    pattern: sticky(
      `(?:but|except|excepting|excluding|other than|apart from|not|without)(?: for)?(?: not)?(?: (?:in|during))* (?<months>${monthRange}|${months})${notMonths}`,
    ),
    read: ({ groups }) => ({ kind: 'except', weekdays: [], months: monthsOf(groups.months ?? '') }),
  },
  {
    pattern: sticky(
      `(?:only )?(?:in|during)(?: the months? of)? (?<months>${monthRange}|${months})${notMonths}|from (?<months>${month} (?:to|until|till|through) ${month})${notMonths}`,
    ),
    read: ({ groups }) => ({ kind: 'months', months: monthsOf(groups.months ?? '') }),
  },
];

function weekdaysIn(words: string): number[] {
  if (/^weekend/i.test(words)) return [6, 7];
  if (/^weekday/i.test(words)) return [1, 2, 3, 4, 5];
  return /\d|-|–|\b(?:to|through|till|until)\b/i.test(words) ? rangeOf(words) : listOf(words);
}

function windowOf({ from, fromHalf, to, toHalf }: Partial<Record<string, string>>): Reading | null {
  const fromHour = hourOf(from, fromHalf);
  const toHour = hourOf(to, toHalf);
  return fromHour === null || toHour === null || fromHour >= toHour ? null : { kind: 'window', fromHour, toHour };
}

function hourOf(text: string | undefined, half: string | undefined): number | null {
  const number = Number(text);
  if (half === undefined) return number > 23 ? null : number;
  return number < 1 || number > 12 ? null : (number % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}
