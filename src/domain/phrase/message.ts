import { limits } from '#contract/reminders.ts';
import { weekday } from './calendar-words.ts';
import { type Found, letter, type Line, phrase, type Span } from './line.ts';
import { saysTimeAt } from './scan.ts';

/** The message in the writer's words, and how it was introduced. */
export type SaidMessage = Span & { words: string; kind: 'quoted' | 'colon' | 'that' | 'about' | 'to' | 'bare' };
export type Message = { subject: string; message: string };

const opening = '["“„«‟]';
const closing = '["”“»]';
const inQuotes = String.raw`${opening}(?<words>[^"“”„«»]{1,1000})${closing}`;
const lead = String.raw`(?:(?:saying|that says|which says|says|say|reading|with the (?:text|message|words)|with|the message|message|text)\s*:?\s*)?`;
const quotedMessage = new RegExp(String.raw`(?<!${letter})${lead}${inQuotes}|:\s*${inQuotes}`, 'i');
const quotedSubject = new RegExp(
  String.raw`(?<!${letter})(?:with (?:the )?|and (?:the )?)?(?:subject|title|titled|called)(?: line)?\s*:?\s*${inQuotes}`,
  'i',
);

const clauses: { kind: SaidMessage['kind']; pattern: RegExp }[] = [
  {
    kind: 'that',
    pattern: phrase(
      'saying(?: that)?|to say(?: that)?|(?:that|which) (?:says|reads)(?: that)?|reading|(?:to )?(?:tell|let) (?:them|him|her)(?: know)?(?: that)?|with the (?:message|text|words)|know that|that|message(?=:)',
    ),
  },
  { kind: 'about', pattern: /(?<!\w)(?:about|regarding|concerning|re:)(?=\s+[^\s\d])/i },
  // `09:30` and `https://` have colons of their own.
  { kind: 'colon', pattern: /:(?=\s+\S)|(?<!\d):(?!\/\/)(?=\p{L})/u },
];

const orders = phrase(
  String.raw`(?<!(?:an?|the|by|via|over|through) )(?:remind|tell|ask|nudge|e-?mail|mail|text|message|sms|whats ?app|ping|alert|notify)`,
);
const thing = /^(?:the|all|every|everyone|everybody|each|my|our|me|us|them|him|her|a|an|slack|webhook|url)(?!\w)/i;

/** `quarter to five` is a time. */
const beforeHour = /(?<!\w)(?:quarter|five|ten|twenty)(?:\s+minutes)?$/i;
const hourWord = /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?!\w)/;

/** Takes quoted text, used word for word, and the subject, if one is quoted too. */
export function takeQuoted(line: Line): { subject: string | null; message: SaidMessage | null } {
  const subject = line.take(quotedSubject)?.groups.words?.trim() ?? null;
  const message = line.find(quotedMessage);
  if (message === null) return { subject, message: null };
  // `the "Elm St" tenants … that rent is due`: these quotes enclose a name.
  const isAlone = startsQuoted.test(message.words);
  if (isAlone && (findClause(line)?.from ?? 0) >= message.to) return { subject, message: null };
  line.takeSpan(message);
  return { subject, message: { ...spanOf(message), words: (message.groups.words ?? '').trim(), kind: 'quoted' } };
}

const startsQuoted = new RegExp(`^${opening}`);

/** Finds where the message begins. It then extends to the end of the line. After a colon all of it is message. */
export function findClause(line: Line): (Span & { kind: SaidMessage['kind'] }) | null {
  const found = clauses
    .map(({ kind, pattern }) => ({ kind, found: line.find(pattern) }))
    .concat({ kind: 'to', found: findInfinitive(line) })
    .flatMap(({ kind, found: span }) => (span === null ? [] : [{ ...spanOf(span), kind }]))
    .sort((one, other) => one.from - other.from);
  const [first] = found;
  if (first === undefined) return findStatement(line);
  // `message:` includes its colon.
  const isColon = line.free().startsWith(':', first.to);
  return isColon ? { ...first, to: first.to + 1, kind: 'colon' } : first;
}

const name = String.raw`(?!${weekday}s?\b)\p{Lu}[\p{L}.'’-]*`;
const who = `(?:me|us|everyone|everybody|${name}(?: ${name}){0,3})`;
const statement = new RegExp(
  String.raw`(?<!\p{L})(?:[Rr]emind|[Tt]ell|[Ee]-?mail|[Mm]ail|[Tt]ext|[Mm]essage|[Ww]hats ?[Aa]pp|[Nn]otify|[Aa]lert|[Pp]ing|[Ii]nform)\s+${who}(?:(?:,\s*|\s+and\s+|\s*&\s*)${who})*,?\s+(?=(?:the|your|our|my|his|her|their|its|it|we|you|I|he|she|they|there|this|these|a|an)\s+\S)`,
  'u',
);

/** `Tell Anna the plumber arrives`: after a name, `the` begins what she is told, unless it begins a day. */
function findStatement(line: Line): (Span & { kind: SaidMessage['kind'] }) | null {
  const found = line.find(statement);
  if (found === null || saysTimeAt(line.free(), found.to)) return null;
  return { from: found.to, to: found.to, kind: 'that' };
}

const spanOf = ({ from, to }: Span): Span => ({ from, to });

/** `remind Ann to pay the rent`: a lower-case word after `to` that is not a person. */
function findInfinitive(line: Line): Found | null {
  const order = line.find(orders);
  if (order === null) return null;
  const rest = line.free().slice(order.to);
  for (const match of rest.matchAll(/(?<=\S)\s+(to)\s+(?=\p{Ll})/gu)) {
    const after = rest.slice(match.index + match[0].length);
    if (thing.test(after) || match.index === 0) continue;
    if (beforeHour.test(rest.slice(0, match.index)) && hourWord.test(after)) continue;
    const from = order.to + match.index + match[0].indexOf('to');
    return { from, to: from + 2, words: 'to', groups: {} };
  }
  return null;
}

/** Subject and text of the message, in the writer's words, with a capital and a full stop. */
export function messageOf({ words, kind }: SaidMessage, quotedTitle: string | null): Message | null {
  const said = trimmed(words);
  if (said === '') return null;
  const subject = subjectOf(quotedTitle ?? said);
  switch (kind) {
    case 'quoted':
      return { subject, message: said };
    case 'colon':
    case 'that':
    case 'bare':
      return { subject, message: sentence(said) };
    case 'about':
      return { subject, message: sentence(`This is a reminder about ${said}`) };
    case 'to':
      return { subject, message: sentence(`Remember to ${said}`) };
    default:
      return kind satisfies never;
  }
}

const trimmed = (words: string) =>
  words
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,;:–-]+/, '')
    .replace(/[\s,;:–-]+$/, '');

const subjectLength = 78;

/** The first sentence, on one line that mail programs show in full. */
function subjectOf(said: string): string {
  const [first = said] = said.split(/(?<=\p{L}{2,}|[\d})])[.!?](?=\s|$)/u);
  const line = capital(first.trim());
  if (line.length <= subjectLength) return line;
  const cut = line.slice(0, subjectLength - 1);
  const atBlank = cut.lastIndexOf(' ');
  return `${atBlank > 20 ? cut.slice(0, atBlank) : cut.replace(/[\uD800-\uDBFF]$/, '')}…`.slice(0, limits.subject);
}

const sentence = (said: string) => (/[.!?…)]$/.test(said) ? capital(said) : `${capital(said)}.`);

function capital(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}
