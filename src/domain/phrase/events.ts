import { amount, amountOf } from './calendar-words.ts';
import { saidDate, unitOf } from './dates.ts';
import { type Found, letter, quoted, spaced, sticky } from './line.ts';
import { problem, type Reading, type Recogniser, type SaidEvent } from './pieces.ts';

const who =
  '(?:(?:a|an|the|any|each|every|new|their|his|her|our|your|users?|customers?|members?|tenants?|somebody|someone|anyone|they) )*';

/** The events of the installation, with the words for them. */
const events: { trigger: SaidEvent['eventTrigger']; source: string; name: string }[] = [
  {
    trigger: 'user_signup',
    source: `${who}(?:signs?[ -]?up|signed up|sign-?ups?|registers|registered|registration)`,
    name: 'a user signs up',
  },
  {
    trigger: 'payment_failed',
    source: `${who}(?:payments? (?:has |have )?(?:fails?|failed|failing|is declined|bounces)|failed payments?|payment failures?)`,
    name: 'a payment fails',
  },
  {
    trigger: 'subscription_due',
    source: `${who}subscriptions? (?:is |are |gets |becomes |falls |comes )?(?:due|renews?|renewal)`,
    name: 'a subscription is due',
  },
  {
    trigger: 'trial_ending',
    source: `${who}(?:free )?trials?(?: period)? (?:is |are )?(?:about to )?(?:ends?|ending|ended|expires?|expiring|runs out)`,
    name: 'a trial is ending',
  },
  {
    trigger: 'custom_webhook',
    source: `${who}(?:custom )?(?:webhook|hook) (?:arrives|comes in|is called|fires|is received|calls)`,
    name: 'the custom webhook is called',
  },
];

const delay = `(?:(?<amount>${amount}) (?<unit>minute|min|hour|day|week|month|year)s? |immediately |right |directly |straight )?`;
const after = '(?:after|following|upon|on|when(?:ever)?|once|as soon as|every time|each time|if)';
const known = events.flatMap((event): Recogniser[] => [
  { pattern: sticky(`${delay}before ${event.source}`), read: ({ words }) => problem(tooEarly(words)) },
  { pattern: sticky(`${delay}${after} ${event.source}`), read: (found) => delayed(found, event) },
]);

const notOther =
  '(?!(?:every|each|by|via|at|that|saying|until|e-?mail|mail|text|sms|whatsapp|slack|push|send|remind|notify|tell|message|post)(?![\\w-]))';

// Ends at text that was taken before, at a comma, or at a word that begins something else.
const unknown = sticky(
  `${delay}(?:when(?:ever)?|as soon as|every time|each time|if|unless|${amount} (?:minute|hour|day|week|month)s? (?:after|before)) (?:${notOther}${letter}+(?: ${notOther}(?:${letter}|['’-])+)*)`,
);

/** What a line waits for, and the words for what nobody reports. */
export const eventRecognisers: Recogniser[] = [
  ...known,
  {
    pattern: unknown,
    read: ({ words }) => (beforeDate.test(words) ? null : problem(noSuchEvent(words))),
  },
];

/** `3 days before 31 March` waits for nothing. */
const beforeDate = new RegExp(`\\b(?:before|after)\\s+${spaced(saidDate)}`, 'i');

const noSuchEvent = (words: string) =>
  `Cuebird has no event ${quoted(words)}: choose the event “Custom webhook” and have your system call it`;

const tooEarly = (words: string) =>
  `${quoted(words)} is not possible: an event is not known before it happens. Report it earlier, or name a date`;

function delayed(
  { words, groups }: Found,
  { trigger, name }: { trigger: SaidEvent['eventTrigger']; name: string },
): Reading {
  const { amount: count, unit = 'hour' } = groups;
  const delayUnit = unitOf(unit);
  if (delayUnit === 'months' || delayUnit === 'years')
    return problem(`${quoted(words)}: a delay is given in minutes, hours, days or weeks`);
  const delayAmount = count === undefined ? 0 : amountOf(count);
  if (delayAmount > 100_000) return problem(`${quoted(words)} is too long a delay`);
  const ago = `${delayAmount} ${delayAmount === 1 ? delayUnit.slice(0, -1) : delayUnit} after`;
  const wording = delayAmount === 0 ? `As soon as ${name}` : `${ago} ${name}`;
  return { kind: 'event', event: { eventTrigger: trigger, delayAmount, delayUnit, wording } };
}
