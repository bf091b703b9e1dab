import { amount, weekday } from './calendar-words.ts';
import { saidDate } from './dates.ts';
import { type Found, quoted, sticky } from './line.ts';
import { problem, type Recogniser } from './pieces.ts';
import { saidTime } from './times.ts';

const refusal = (source: string, why: (found: Found) => string): Recogniser => ({
  pattern: sticky(source),
  read: (found) => problem(why(found)),
});

const workdays = '(?:business|working|work|week)[ -]?days?';

/** Words about time that no schedule can express, with what to write instead. */
export const refusedRecognisers: Recogniser[] = [
  refusal(
    `(?:in |for |within )?${amount} ${workdays}(?:['’] time| from now| (?:before|after|from) (?:${saidDate}))?`,
    ({ words }) => `${quoted(words)} is not possible, because holidays are not known: write the date`,
  ),
  refusal(
    `(?:for )?(?:${amount} times|once|twice) only|(?:for )?(?:\\d{1,4}|two|three|four|five|six|seven|eight|nine|ten) times`,
    ({ words }) => `${quoted(words)} cannot be counted: write an end date, such as “until 31 May”`,
  ),
  refusal(
    `(?:by|no later than|not later than|before|after|since|around|about|approximately|approx|roughly|circa) (?:(?:at )?(?:${saidTime})|${saidDate}|${weekday}s|the (?:weekend|morning|afternoon|evening))`,
    ({ words }) => `${quoted(words)} does not say when exactly: write “at” a time, or “on” a day`,
  ),
  refusal(
    String.raw`(?:(?:at|around|about) )?(?:noon|midday|midnight|\d{1,2}(?::\d{2})?(?:\s?[ap]m)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s?-?ish`,
    ({ words }) => `${quoted(words)} does not say when exactly: write “at” a time, or “on” a day`,
  ),
  refusal(
    `(?:but|except|excepting|excluding|other than|apart from|not|without)(?: for)?(?: not)?(?: (?:on|in|during|at|every|the|my|our|any))* (?:(?:public|bank|national|federal|legal|school|official) )?(?:holidays?|vacations?|christmas(?: day| eve)?|xmas|easter(?: sunday| monday)?|good friday|thanksgiving(?: day)?|new year['’]?s?(?: day| eve)?|halloween)`,
    ({ words }) =>
      `${quoted(words)} is not possible, because holidays are not known: leave it out, or pause the reminder on such a day`,
  ),
  refusal(
    '(?:right |just )?now|immediately|instantly|(?:right|straight) away|asap|as soon as possible',
    ({ words }) => `${quoted(words)} is not a schedule: write “in 1 minute”`,
  ),
];
