import type { delayUnits, eventTriggers } from '#contract/schedules.ts';
import { amount, amountOf } from './calendar-words.ts';
import { unitOf } from './dates.ts';
import { type Found, letter, type Line, phrase, quoted, type Span } from './line.ts';

export type SaidEvent = Span & {
  eventTrigger: (typeof eventTriggers)[number];
  delayAmount: number;
  delayUnit: (typeof delayUnits)[number];
  wording: string;
};

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
const known = events.map((event) => ({
  ...event,
  before: phrase(`${delay}before ${event.source}`),
  after: phrase(`${delay}${after} ${event.source}`),
}));

const notOther =
  '(?!(?:every|each|by|via|at|that|saying|until|e-?mail|mail|text|sms|whatsapp|slack|push|send|remind|notify|tell|message|post)(?![\\w-]))';

// Ends at text that another parser took, at a comma, or at a word that begins something else.
const unknown = phrase(
  `${delay}(?:when(?:ever)?|as soon as|every time|each time|if|unless|${amount} (?:minute|hour|day|week|month)s? (?:after|before)) (?:${notOther}${letter}+(?: ${notOther}(?:${letter}|['’-])+)*)`,
);

/** The event that a line waits for, or the problem when there is no such event. */
export function takeEvent(line: Line): SaidEvent | (Span & { problem: string }) | null {
  for (const event of known) {
    const early = line.take(event.before);
    if (early !== null) return { ...spanOf(early), problem: tooEarly(early) };
    const found = line.take(event.after);
    if (found !== null) return delayed(found, event);
  }
  const other = line.take(unknown);
  return other === null
    ? null
    : {
        ...spanOf(other),
        problem: `Cuebird has no event ${quoted(other.words)}: choose the event “Custom webhook” and have your system call it`,
      };
}

const spanOf = ({ from, to }: Span): Span => ({ from, to });

const tooEarly = (found: Found) =>
  `${quoted(found.words)} is not possible: an event is not known before it happens. Report it earlier, or name a date`;

function delayed(
  found: Found,
  { trigger, name }: { trigger: SaidEvent['eventTrigger']; name: string },
): SaidEvent | (Span & { problem: string }) {
  const { amount: count, unit = 'hour' } = found.groups;
  const delayUnit = unitOf(unit);
  if (delayUnit === 'months' || delayUnit === 'years')
    return { ...spanOf(found), problem: `${quoted(found.words)}: a delay is given in minutes, hours, days or weeks` };
  const delayAmount = count === undefined ? 0 : amountOf(count);
  if (delayAmount > 100_000) return { ...spanOf(found), problem: `${quoted(found.words)} is too long a delay` };
  const ago = `${delayAmount} ${delayAmount === 1 ? delayUnit.slice(0, -1) : delayUnit} after`;
  return {
    ...spanOf(found),
    eventTrigger: trigger,
    delayAmount,
    delayUnit,
    wording: delayAmount === 0 ? `As soon as ${name}` : `${ago} ${name}`,
  };
}
