import { parseRecipient } from '#domain/recipients.ts';
import { type Found, letter, type Line, phrase, type Span } from './line.ts';

export type SaidRecipient = Span & { recipient: string };
/** Words for people, to be looked up: `the tenants of Elm St`, `Ann`, `me`. */
export type SaidAudience = Span & { audience: string };

/** A person with a known name: a contact, or the writer, whose name is `me`. */
export type Person = { name: string; email: string | null; phone: string | null };

const verbs =
  'e-?mail|mail|text|sms|whats ?app|slack|push|remind|notify|tell|message|msg|ping|alert|nudge|ask|inform|send|let|post|call|write';
const capital = String.raw`[\p{Lu}\p{Lo}][\p{L}.'’-]*`;
const named = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}])(?:to )?(?:"[^"<>]{1,100}"|(?:${capital}(?: (?:(?:von|van|de|der|la|del|da|bin) )*${capital}){0,3})))?\s*<[^<>\s]{3,320}>`,
  'u',
);
const url = /(?<!\w)(?:to )?https?:\/\/[^\s<>"“”\uE000]*[^\s<>"“”.,;:!?)\uE000]/i;
const address = new RegExp(`(?<!${letter})(?:to )?[^\\s@<>,;:"“”()\\uE000]+@[^\\s@<>,;"“”()\\uE000]*${letter}`, 'i');
// `01 02 2027` and `2027-03-03 09:30` are days.
const phone =
  /(?<![\w.:/-])(?:to )?(?:\+\s?\d(?:(?!\s\d{1,2}[./]\d{1,2}(?:\.(?!\d)|[./]\d{4}(?!\d))|\s\d{4}-\d|\s\d{1,2}:\d)[\d\s()/.-]){4,22}\d|(?!\d{1,2}[/-]\d{1,2}[/-]\d|\d{1,2}[\s.]\d{1,2}[\s.](?:19|20|21)\d{2}(?!\d))(?:\(0\d+\)|0\d)[\d\s()/-]{5,20}\d)(?!\w)/i;

/** `"Ann Lee" <ann@example.com>`: taken before quoted text. */
export function takeNamed(line: Line): SaidRecipient[] {
  const found: SaidRecipient[] = [];
  for (let match = line.find(named); match !== null; match = line.find(named)) {
    const lead = leadOf(match.words);
    const from = match.from + lead;
    line.takeSpan({ from: match.from, to: match.to });
    const words = match.words.slice(lead).trim();
    if (parseRecipient(words).kind !== 'other') found.push({ from, to: match.to, recipient: words });
  }
  return found;
}

const firstVerb = new RegExp(`^(?:${verbs}|to|and|please|for|cc)\\s+`, 'i');

/** How many of the words precede the name: `Email Ann Lee <…>`. */
function leadOf(words: string): number {
  let lead = words.length - words.trimStart().length;
  for (let verb = firstVerb.exec(words.slice(lead)); verb !== null; verb = firstVerb.exec(words.slice(lead)))
    lead += verb[0].length;
  return lead;
}

/** Addresses, numbers and URLs, each with the `to` before it. */
export function takeAddresses(line: Line): SaidRecipient[] {
  const found = [...[url, address].flatMap((pattern) => line.takeAll(pattern)), ...takePhones(line)];
  return found.map(({ from, to, words }) => ({ from, to, recipient: words.replace(/^to\s+/i, '').trim() }));
}

// E.164
const mostDigits = 15;

/** Finds numbers, without the digits of a time that follow them. */
function takePhones(line: Line): Found[] {
  const phones: Found[] = [];
  for (let found = line.find(phone); found !== null; found = line.find(phone)) {
    let { words } = found;
    while (words.replaceAll(/\D/g, '').length > mostDigits && /\s\S+$/.test(words))
      words = words.replace(/\s+\S+$/, '');
    const span = { from: found.from, to: found.from + words.length };
    line.takeSpan(span);
    phones.push({ ...found, ...span, words });
  }
  return phones;
}

const stop = `(?:that|to|by|via|saying|about|until|using|with(?!\\s+(?:the\\s+)?tags?(?!${letter}))|please|every|each|when|if|for|from|starting|not|except|but|only|again|know|then|also|so|because)(?!${letter})`;
const word = `(?!${stop})(?:${letter}|#)(?:${letter}|['’.&#/-])*`;
const people = String.raw`${word}(?:(?:\s*,\s*(?:and\s+)?|\s+&\s+|\s+)${word})*`;
const verb = phrase('remind|notify|tell|message|msg|ping|alert|nudge|ask|inform|send|let|write(?: to)?');
const addressed = new RegExp(String.raw`(?<!${letter})(?:to|for|cc)\s+(?<who>${people})`, 'i');
const object = new RegExp(String.raw`^[\s,]*(?:and\s+)?(?<who>(?!an?\s)${people})`, 'i');
const another = new RegExp(String.raw`^(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?<who>${people})`, 'i');
const nobody =
  /^(?:an?|the|this|that|it|out|me an?|reminders?|messages?|notifications?|notes?|alerts?|and|or|on|at|in|of|also|off|everything|us an?|just|only)$/i;

/**
 * People named by words. They follow a verb; but when people are named with `to`, the words after the verb are the
 * message.
 * @param verbs the verbs that another parser took
 * @param addresses the recipients so far; more may follow them
 */
export function takeAudiences(
  line: Line,
  { verbs: taken, addresses }: { verbs: readonly Span[]; addresses: readonly Span[] },
): SaidAudience[] {
  const audiences: SaidAudience[] = addresses.flatMap(({ to }) => takeAfter(line, to, another));
  for (let found = line.find(addressed); found !== null; found = line.find(addressed)) {
    const who = found.groups.who ?? '';
    line.takeSpan(found);
    audiences.push(...eachOf(who, found.to - who.length));
  }
  audiences.push(...takeReceivers(line));
  const all = [...taken, ...line.takeAll(verb)];
  return audiences.length > 0 ? audiences : all.flatMap(({ to }) => takeAfter(line, to, object));
}

const receivers = new RegExp(
  String.raw`(?<![^\s,\uE000])(?<who>${people})\s+(?:gets?|receives?|(?:is|are|be) sent)(?=\s*(?:\uE000|(?:an?|the|this|my|our) (?:reminder|message|notification|note|alert)(?!\w)))`,
  'i',
);

/** `churned customers get an email`, where the channel was taken before. */
function takeReceivers(line: Line): SaidAudience[] {
  const found = line.find(receivers);
  const who = (found?.groups.who ?? '').replace(/\s+(?:should|will|must|shall)$/i, '');
  if (found === null || /(?:^|\s)(?:go|to|please|i|we|me|let['’]?s)$/i.test(who)) return [];
  line.takeSpan(found);
  return eachOf(who, found.from);
}

function takeAfter(line: Line, end: number, pattern: RegExp): SaidAudience[] {
  const match = pattern.exec(line.free().slice(end));
  const who = match?.groups?.who ?? '';
  if (match === null || who === '') return [];
  const from = end + match[0].length - who.length;
  const found = eachOf(who, from);
  if (found.length > 0) line.takeSpan({ from, to: from + who.length });
  return found;
}

/** The names in `Ann, Ben and the tenants of Elm St`. */
function eachOf(who: string, from: number): SaidAudience[] {
  const found: SaidAudience[] = [];
  const parts = who.split(/(\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s+&\s+)/i);
  let at = from;
  for (const [index, part] of parts.entries()) {
    const audience = part.replace(/[.,;:]+$/, '').replace(/\s+(?:an?|the|on|at|in|of|and)$/i, '');
    const isSaid = audience.split(/\s+/).some((one) => !nobody.test(one));
    if (index % 2 === 0 && isSaid && audience !== '') found.push({ from: at, to: at + audience.length, audience });
    at += part.length;
  }
  return found;
}

/** The people with exactly the name that an audience's words say. */
export function namesakesOf(audience: string, people: readonly Person[]): Person[] {
  const words = wordsOf(audience).join(' ');
  return people.filter(({ name }) => namesIn(searchWords(name)).join(' ') === words);
}

/** The people that an audience's words name: those with this name, or whose name holds each of its words. */
export function peopleOf(audience: string, people: readonly Person[]): Person[] {
  const words = wordsOf(audience);
  const whole = namesakesOf(audience, people);
  if (whole.length > 0 || words.length === 0) return whole;
  return people.filter(({ name }) => {
    const names = new Set(namesIn(name));
    return words.every((one) => names.has(one));
  });
}

/** The words to search for, without those that only introduce a name. */
export const searchWords = (audience: string) =>
  audience.replace(/^(?:(?:all|each|every|everyone|everybody|everyone at|of|the|our|my)\s+)+/i, '').trim();

const wordsOf = (audience: string) => namesIn(/^myself$/i.test(audience) ? 'me' : searchWords(audience));

const namesIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
