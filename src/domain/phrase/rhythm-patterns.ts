import {
  amount,
  and,
  amountOf,
  dayOrdinal,
  listed,
  month,
  monthOf,
  months,
  monthsOf,
  ordinal,
  weekday,
  weekdayName,
} from './calendar-words.ts';
import { quoted, sticky } from './line.ts';
import { problem, type Reading, type Recogniser } from './pieces.ts';
import {
  daysOf,
  everyMonths,
  everyOther,
  everyUnit,
  type Groups,
  listOf,
  nthsOf,
  partNamed,
  rangeOf,
  rhythm,
  withNote,
  yearlyOn,
} from './rhythm-readings.ts';

const workdays = [1, 2, 3, 4, 5];
const weekend = [6, 7];
/** Weekdays by their first letters. */
const initials = [
  { written: 'M[-–]F', days: workdays },
  { written: 'M[-–]Th', days: [1, 2, 3, 4] },
  { written: 'MWF|M/W/F', days: [1, 3, 5] },
  { written: 'TTh|Tu?/Th', days: [2, 4] },
];

const every = '(?:every|each)';
export const days = `${weekday}s?(?:${and}(?:(?:every|on) )?${weekday}s?)*`;
const several = `${weekday}s?(?:${and}(?:(?:every|on) )?${weekday}s?)+`;
const plural = '(?:mon|tues|wednes|thurs|fri|satur|sun)days';
export const range = String.raw`${weekday}s?\s*(?:-|–| to | through | till | until )\s*${weekday}s?`;
const ofMonth = '(?:of|in) (?:every|each|the|a) month';
const ofEachMonth = '(?:of|in) (?:every|each|a) month';
const dayNumbers = String.raw`(?:${dayOrdinal}|first|last(?: day)?)(?:${and}(?:the )?(?:${dayOrdinal}|last(?: day)?))*`;
const monthly = `(?:${every} month|monthly),?`;
const yearly = `(?:${every} year|yearly|annually|once a year),?`;
const date = String.raw`(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${month})|(?<month>${month}) (?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const ordinals = `${ordinal}(?:${and}(?:the )?${ordinal})*`;
const nth = `(?:the )?${ordinals} ${weekday}s?`;
const nths = `${nth}(?:${and}${nth})*`;
const severalNths = `(?:the )?(?:${ordinal}(?:${and}(?:the )?${ordinal})+ ${weekday}s?(?:${and}${nth})*|${nth}(?:${and}${nth})+)`;
const workday = '(?:working|business|work) ?day';

const patterns: { source: string; read: (groups: Groups, words: string) => Reading }[] = [
  {
    source: `(?:(?:${every}|on) )?(?:the )?(?:${ordinal}|next) (?:${workday}|week ?day)(?: (?:of|in) (?:${every}|each|the|a) month)?|nearest ${workday}`,
    read: (_, words) =>
      problem(`${quoted(words)} cannot be a schedule: name a day of the month, or one such as “every last Friday”`),
  },
  {
    source: `(?:${every} other|${every} (?:2|two)|${every} (?:second|2nd)|alternate) (?:weeks?|days?|${weekday}s?)(?! (?:of|in) )(?: on ${days})?|fortnightly|bi-?weekly|${every} fortnight`,
    read: everyOther,
  },
  {
    source: `(?:${yearly} on|${every}) (?<nths>${nths}) (?:in|of) (?<months>${months})|(?:on )?(?<nths>${nths}) (?:in|of) (?<months>${months}),? ${every} year|(?:on )?(?<nths>${severalNths}) (?:in|of) (?<months>${months})`,
    read: ({ nths: said = '', months: names = '' }) => nthsOf(said, monthsOf(names)),
  },
  {
    source: `(?:(?:${every}|on) )?(?<nths>${nths}) ${ofMonth}|${monthly} on (?<nths>${nths})`,
    read: ({ nths: said = '' }) => nthsOf(said, null),
  },
  {
    source: `${every} (?<nths>${nths})`,
    read({ nths: said = '' }, words) {
      const reading = nthsOf(said, null);
      const isClear = reading.kind !== 'rhythm' || !/^(?:2nd|second|3rd|third|4th|fourth|5th|fifth)\s+\S+$/i.test(said);
      const note = `${quoted(words)} is read as that weekday of each month, not as every few weeks`;
      return isClear ? reading : withNote(reading, note);
    },
  },
  {
    source: `(?:on )?(?<nths>${severalNths})`,
    read: ({ nths: said = '' }, words) => withNote(nthsOf(said, null), `${quoted(words)} is read as of each month`),
  },
  {
    source: `(?:on )?(?:the )?${ordinal} ${weekday}`,
    read: (_, words) => problem(`${quoted(words)} needs its month: write “of each month”, or “in March”`),
  },
  {
    source: `${yearly} on (?:${date})|(?:on )?(?:${date}),? ${every} year|${every} (?:${date})|yearly on (?:${date})`,
    read: ({ day = '', month: name = '' }, words) => yearlyOn({ day: Number(day), month: monthOf(name), words }),
  },
  {
    source: `(?:(?:${every}|on) )?(?:the )?(?<days>${dayNumbers}) of (?<months>${month}(?:${and}${month})+)(?: ${every} year)?|${every} (?<days>${dayNumbers}) of (?<months>${months})`,
    read: ({ days: said = '', months: names = '' }, words) => daysOf(said, { months: monthsOf(names), words }),
  },
  {
    source: `(?:(?:on|at) )?(?:the )?(?:last day|end) ${ofEachMonth}|${every} (?:last day|end) ${ofMonth}|${every} last day|${every} month[- ]end|${monthly} on the last day|at (?:the )?month[- ]end`,
    read: () => rhythm({ kind: 'days', days: ['last'], months: null }),
  },
  {
    source: `(?:(?:${every}|on) )?(?:the )?(?!last day (?:of|in) the month)(?<days>${dayNumbers})(?: day)? ${ofMonth}|${monthly} on (?:the |day )?(?<days>${dayNumbers}|\\d{1,2})|on day (?<days>\\d{1,2}) ${ofMonth}|${every} (?<days>${dayOrdinal}(?:${and}(?:the )?(?:${dayOrdinal}|last(?: day)?))*)(?: day)?|(?:on )?(?:the )?(?<days>${dayNumbers}),? (?:monthly|${every} month)|(?:on )?the (?<days>${dayOrdinal}(?:${and}(?:the )?(?:${dayOrdinal}|last day))+)`,
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
    source: `(?:(?:every|on|each|from|weekly on|every week on) )?(?<days>${range})`,
    read: ({ days: said = '' }) => rhythm({ kind: 'weekdays', days: rangeOf(said), months: null }),
  },
  {
    source: `${every} (?:week ?day|${workday})|(?:on )?(?:week ?days|${workday}s)`,
    read: () => rhythm({ kind: 'weekdays', days: workdays, months: null }),
  },
  {
    source: `(?:${every} |on )?weeknights?`,
    read: (_, words) => ({
      ...withNote(
        rhythm({ kind: 'weekdays', days: workdays, months: null }),
        `${quoted(words)} is read as Monday to Friday`,
      ),
      part: 'night',
    }),
  },
  ...initials.map(({ written, days: named }) => ({
    source: `(?:(?:${every}|on|from) )?(?:${written})`,
    read: (_: Groups, words: string) =>
      withNote(
        rhythm({ kind: 'weekdays', days: named, months: null }),
        `${quoted(words)} is read as ${listed(named.map(weekdayName))}`,
      ),
  })),
  {
    source: `${every} weekend|(?:on |at )?weekends`,
    read: () => rhythm({ kind: 'weekdays', days: weekend, months: null }),
  },
  {
    source: `(?:weekly|${every} week),? on (?<days>${days})|(?:on )?${every} (?<days>${days})|(?:on )?(?<days>${plural}(?:${and}(?:on )?${plural})*)|(?<days>${days}),? (?:${every} week|weekly)`,
    read: ({ days: said = '' }) => rhythm({ kind: 'weekdays', days: listOf(said), months: null }),
  },
  {
    source: `(?:on )?(?<days>${several})`,
    read: ({ days: said = '' }, words) =>
      withNote(
        rhythm({ kind: 'weekdays', days: listOf(said), months: null }),
        `${quoted(words)} is read as these days of every week`,
      ),
  },
  {
    source: `${every} (?:(?<count>${amount}) ?)?(?<half>half )?(?:an? )?(?<unit>minute|min|m|hour|hr|h|day|week|year)s?(?: on the hour)?|(?<unit>hourly|daily|weekly|yearly|annually)|${every} (?<unit>quarter of an hour|half an hour)|once (?:a|an|per|every) (?<unit>hour|day|week|year)`,
    read: everyUnit,
  },
  {
    source: '(?:twice|(?:two|three|four|2|3|4) times|several times) (?:a|per|every) (?:day|week|month)',
    read: (_, words) =>
      problem(`${quoted(words)} does not say when: name the times, such as “every day at 9 and 17”, or the days`),
  },
  {
    source: `${every} (?<part>morning|afternoon|evening|night)|(?<part>nightly)`,
    read: ({ part = '' }) => ({ ...rhythm({ kind: 'daily', months: null }), part: partNamed(part) }),
  },
  {
    source: `${every} (?<months>${months})(?! \\d)`,
    read: (_, words) =>
      problem(`${quoted(words)} needs a day: write “every year on 1 March”, or “every Monday in March”`),
  },
];

export const rhythmRecognisers: Recogniser[] = patterns.map(({ source, read }) => ({
  pattern: sticky(source),
  read: ({ groups, words }) => read(groups, words),
}));
