import { amount, amountOf, dayOrdinal, month, monthOf, ordinal, ordinalOf, weekday } from './calendar-words.ts';
import { phrase, quoted } from './line.ts';
import type { SaidRhythm } from './rhythm.ts';
import {
  partHours,
  rhythm,
  withNote,
  listOf,
  nthOf,
  daysOf,
  yearlyOn,
  everyMonths,
  everyOther,
  everyUnit,
  type Groups,
} from './rhythm-readings.ts';

type RhythmPattern = { source: string; read: (groups: Groups, words: string) => SaidRhythm };

const workdays = [1, 2, 3, 4, 5];
const weekend = [6, 7];
const wholeWeek = [...workdays, ...weekend];

const every = '(?:every|each)';
const and = String.raw`(?:\s*,\s*(?:and )?|\s+and\s+|\s*&\s*|\s*/\s*)`;
const days = `${weekday}s?(?:${and}(?:(?:every|on) )?${weekday}s?)*`;
const plural = '(?:mon|tues|wednes|thurs|fri|satur|sun)days';
const plurals = `${plural}(?:${and}${plural})*`;
const range = String.raw`${weekday}s?\s*(?:-|–| to | through | till | until )\s*${weekday}s?`;
const ofMonth = '(?:of|in) (?:every|each|the|a) month';
const dayNumbers = String.raw`(?:${dayOrdinal}|first|last(?: day)?)(?:${and}(?:the )?(?:${dayOrdinal}|last(?: day)?))*`;
const monthly = `(?:${every} month|monthly),?`;
const yearly = `(?:${every} year|yearly|annually|once a year),?`;
const date = String.raw`(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${month})|(?<month>${month}) (?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?`;

const nthIn = `(?<nth>${ordinal}) (?<weekday>${weekday}) (?:of|in) (?<month>${month})`;

/** From the most specific on: what one pattern has taken, the next does not see. */
const patterns: RhythmPattern[] = [
  {
    source: `(?:${every} day|daily) (?:except|but not)(?: on)? (?<days>weekends?|the weekend|${days})`,
    read: ({ days: out = '' }) => {
      const left = /weekend/i.test(out) ? weekend : listOf(out);
      return rhythm({ kind: 'weekdays', days: wholeWeek.filter((one) => !left.includes(one)) });
    },
  },
  {
    source: `(?:(?:${every}|on) )?(?:the )?(?:${ordinal}|next) (?:working|business|week|work) ?day(?: (?:of|in) (?:${every}|each|the|a) month)?|nearest (?:working|business) day`,
    read: (_, words) => ({
      problem: `${quoted(words)} cannot be a schedule: name a day of the month, or one such as “every last Friday”`,
    }),
  },
  {
    source: `(?:${every} other|${every} (?:2|two)|${every} second) (?:weeks?|days?|${weekday}s?)(?! (?:of|in) )(?: on ${days})?|fortnightly|bi-?weekly|${every} fortnight`,
    read: everyOther,
  },
  {
    source: `(?:${yearly} on|${every}) (?:the )?${nthIn}|(?:on )?(?:the )?${nthIn},? ${every} year`,
    read: ({ month: name = '', ...said }) => nthOf(said, [monthOf(name)]),
  },
  {
    source: `(?:(?:${every}|on) )?(?:the )?(?<nth>${ordinal}) (?<weekday>${weekday}) ${ofMonth}|${monthly} on (?:the )?(?<nth>${ordinal}) (?<weekday>${weekday})`,
    read: (said) => nthOf(said, null),
  },
  {
    source: `${every} (?<nth>${ordinal}) (?<weekday>${weekday})`,
    read: (said, words) => {
      const isClear = ordinalOf(said.nth ?? '') === 'last' || ordinalOf(said.nth ?? '') === 1;
      const note = `${quoted(words)} is read as that weekday of each month, not as every few weeks`;
      return isClear ? nthOf(said, null) : withNote(nthOf(said, null), note);
    },
  },
  {
    source: `${yearly} on (?:${date})|(?:on )?(?:${date}),? ${every} year|${every} (?:${date})|yearly on (?:${date})`,
    read: ({ day = '', month: name = '' }, words) => yearlyOn({ day: Number(day), month: monthOf(name), words }),
  },
  {
    source: `(?:(?:${every}|on|at) )?(?:the )?(?:last day|end) ${ofMonth}|${every} last day|${every} month[- ]end|${monthly} on the last day|at (?:the )?month[- ]end`,
    read: () => rhythm({ kind: 'days', days: ['last'], months: null }),
  },
  {
    source: `(?:(?:${every}|on) )?(?:the )?(?<days>${dayNumbers})(?: day)? ${ofMonth}|${monthly} on (?:the |day )?(?<days>${dayNumbers}|\\d{1,2})|on day (?<days>\\d{1,2}) ${ofMonth}|${every} (?<days>${dayOrdinal}(?:${and}(?:the )?(?:${dayOrdinal}|last(?: day)?))*)(?: day)?|(?:on )?(?:the )?(?<days>${dayNumbers}),? (?:monthly|${every} month)|(?:on )?the (?<days>${dayOrdinal}(?:${and}(?:the )?(?:${dayOrdinal}|last day))+)`,
    read: ({ days: said = '' }, words) => daysOf(said, { months: null, words }),
  },
  {
    source: `(?:${every} quarter|quarterly)(?: on the (?<days>${dayOrdinal}|first|last day))?`,
    read: ({ days: said = '1st' }, words) =>
      /last/i.test(said)
        ? withNote(
            daysOf(said, { months: [3, 6, 9, 12], words }),
            'Quarters are read as ending in March, June, September and December',
          )
        : withNote(
            daysOf(said, { months: [1, 4, 7, 10], words }),
            'Quarters are read as beginning in January, April, July and October',
          ),
  },
  {
    source: `(?:${every} (?<count>${amount}|other|second) months?|${every} month|monthly|once a month)(?:,? on (?:the |day )?(?<days>${dayNumbers}))?`,
    read: ({ count, days: said }, words) =>
      everyMonths({ count: /other|second/i.test(count ?? '') ? 2 : amountOf(count), days: said, words }),
  },
  {
    source: `(?:(?:every|on|each|weekly on|every week on) )?(?<days>${range})`,
    read: ({ days: said = '' }) => {
      const [from = 1, to = 7] = listOf(said);
      return rhythm({
        kind: 'weekdays',
        days: wholeWeek.map((_, at) => ((from - 1 + at) % 7) + 1).slice(0, ((to - from + 7) % 7) + 1),
      });
    },
  },
  {
    source: `${every} (?:week ?day|working day|work ?day|business day)|(?:on )?(?:week ?days|working days|work ?days|business days)`,
    read: () => rhythm({ kind: 'weekdays', days: workdays }),
  },
  { source: `${every} weekend|(?:on |at )?weekends`, read: () => rhythm({ kind: 'weekdays', days: weekend }) },
  {
    source: `(?:weekly|${every} week),? on (?<days>${days})|(?:on )?${every} (?<days>${days})|(?:on )?(?<days>${plurals})|(?<days>${days}),? (?:${every} week|weekly)`,
    read: ({ days: said = '' }) => rhythm({ kind: 'weekdays', days: listOf(said) }),
  },
  {
    source: `${every} (?:(?<count>${amount}) )?(?<half>half )?(?:an? )?(?<unit>minute|min|hour|day|week|year)s?(?: on the hour)?|(?<unit>hourly|daily|weekly|yearly|annually)|${every} (?<unit>quarter of an hour|half an hour)|once (?:a|an|per|every) (?<unit>hour|day|week|year)`,
    read: (said, words) => everyUnit(said, words),
  },
  {
    source: '(?:twice|(?:two|three|four|2|3|4) times|several times) (?:a|per|every) (?:day|week|month)',
    read: (_, words) => ({
      problem: `${quoted(words)} does not say when: name the times, such as “every day at 9 and 17”, or the days`,
    }),
  },
  {
    source: `${every} (?<part>morning|afternoon|evening|night)|(?<part>nightly)`,
    read: ({ part = '' }) => {
      const hour = partHours.get(part.toLowerCase()) ?? 21;
      return { rhythm: { kind: 'daily' }, hour, note: null };
    },
  },
];

export const rhythmPatterns = patterns.map(({ source, read }) => ({ pattern: phrase(source), read }));
