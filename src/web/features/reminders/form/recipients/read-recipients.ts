import type { ChannelType } from '#contract/channel-types.ts';
import { contactLimits } from '#contract/contacts.ts';
import { limits } from '#contract/reminders.ts';
import { parseRecipient, recipientKey } from '#domain/recipients.ts';
import { addressesOf } from '#web/features/reminders/form/addresses-of.ts';
import { readTable, type Row } from './table.ts';

/** The result of reading a text: `rest` is the unusable part, as written. */
export type ReadRecipients = {
  added: string[];
  present: number;
  unusable: { line: number; text: string; why: string }[];
  rest: string;
};

/** A part of the text as a recipient, or the reason why it is unusable. `raw` is the text to correct. */
export type Found = { line: number; raw: string } & ({ recipient: string } | { text: string; why: string });

type Given = { recipients: readonly string[]; channels: readonly ChannelType[] };

/**
 * Reads recipients from lines, from lists with commas or semicolons, or from a table with a header row. Existing
 * recipients are counted, and unusable text is kept and reported, so that nothing is lost.
 */
export function readRecipients(text: string, { recipients, channels }: Given): ReadRecipients {
  const { head, found } = foundIn(plainLines(text), channels);
  const known = new Set(recipients.map(recipientKey));
  const read: ReadRecipients = { added: [], present: 0, unusable: [], rest: '' };
  const rest = new Set<string>();
  const leave = ({ line, raw }: Found, left: { text: string; why: string }) => {
    read.unusable.push({ line, ...left });
    rest.add(raw);
  };
  for (const one of found) {
    if ('why' in one) leave(one, { text: one.text, why: one.why });
    else if (known.has(recipientKey(one.recipient))) read.present += 1;
    else if (recipients.length + read.added.length >= limits.recipients)
      leave(one, { text: one.recipient, why: tooMany });
    else {
      known.add(recipientKey(one.recipient));
      read.added.push(one.recipient);
    }
  }
  read.rest = rest.size === 0 ? '' : [...(head === null ? [] : [head]), ...rest].join('\n');
  return read;
}

const tooMany = `a reminder has at most ${limits.recipients.toLocaleString('en')} recipients`;

/** A table of people: how many rows it has, and the titles of the columns that are no part of a recipient. */
export type PeopleTable = { rows: number; others: string[] };

/** Null where the text is no table with a header row that names an address or phone column. */
export function peopleTableIn(text: string): PeopleTable | null {
  const table = tableIn(plainLines(text));
  if (table === null || table.head.cells.length > contactLimits.importColumns) return null;
  const used = new Set(Object.values(table.columns));
  return {
    rows: table.rows.length,
    others: table.head.cells.filter((title, at) => title !== '' && !used.has(at)),
  };
}

const plainLines = (text: string) => text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');

function tableIn(text: string): { head: Row; rows: Row[]; columns: Columns } | null {
  for (const delimiter of [',', ';', '\t']) {
    const [head, ...rows] = readTable(text, delimiter);
    const columns = head === undefined ? null : columnsIn(head.cells);
    if (head !== undefined && columns !== null) return { head, rows, columns };
  }
  return null;
}

function foundIn(text: string, channels: readonly ChannelType[]): { head: string | null; found: Found[] } {
  const table = tableIn(text);
  if (table !== null && table.head.cells.length > contactLimits.importColumns) {
    const why = `a table has at most ${contactLimits.importColumns} columns`;
    return { head: null, found: [{ line: 1, raw: text, text: `${table.head.raw.slice(0, 80)}…`, why }] };
  }
  if (table !== null) {
    const { head, rows, columns } = table;
    return { head: head.raw, found: rows.flatMap((row) => recipientsIn(row, { columns, channels })) };
  }
  return { head: null, found: text.split('\n').flatMap((line, at) => foundInLine(line.trim(), at + 1)) };
}

function foundInLine(text: string, line: number): Found[] {
  return splitLine(text).map((piece) =>
    piece === text || parseRecipient(piece).kind !== 'other'
      ? { line, raw: piece, recipient: piece }
      : { line, raw: piece, text: piece, why: 'it is neither an email address, a phone number nor a URL' },
  );
}

/**
 * The recipients of one line: several when it is a list. Any other line is one recipient, because recipients have no
 * fixed format. A name next to an address without angle brackets is not used, because it could greet the wrong person.
 */
function splitLine(line: string): string[] {
  if (line === '') return [];
  if (isOneUrl(line)) return [line];
  const words = line.split(/\s+/);
  if (words.length > 1 && words.every(isAddress)) return words;
  const pieces = withNamesInTwoParts(piecesOf(line));
  return pieces.length > 1 && pieces.some(isUsable) ? pieces : [line];
}

const isUsable = (piece: string) => parseRecipient(piece).kind !== 'other';
const isAddress = (word: string) => ['email', 'url'].includes(parseRecipient(word).kind) && !/[,;]/.test(word);

/** Commas and semicolons are part of a URL, except before another address. */
const isOneUrl = (line: string) => parseRecipient(line).kind === 'url' && !/[,;](?:https?:|[^\s/,;@]+@)/i.test(line);

/** Splits a line at commas and semicolons outside quotes and angle brackets. */
function piecesOf(line: string): string[] {
  const pieces: string[] = [];
  const closed = closingsIn(line);
  let from = 0;
  for (let at = 0; at <= line.length; at += 1) {
    const character = line[at];
    if (character === '"' || character === '<') at = closed(at);
    else if (at === line.length || character === ',' || character === ';' || character === '\t') {
      pieces.push(line.slice(from, at).trim());
      from = at + 1;
    }
  }
  return pieces.filter((piece) => piece !== '');
}

/**
 * Returns a function that finds the end of the quote or bracket at a position, or returns the position when it is
 * unclosed. An unclosed one ends the search for its kind, which keeps the time linear.
 */
function closingsIn(line: string): (at: number) => number {
  const neverClosed = new Set<string | undefined>();
  return (at) => {
    const opening = line[at];
    if (neverClosed.has(opening)) return at;
    const closed = opening === '<' ? line.indexOf('>', at) : quoteEnd(line, at);
    if (closed !== -1) return closed;
    neverClosed.add(opening);
    return at;
  };
}

function quoteEnd(line: string, from: number): number {
  for (let at = from + 1; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === '"') return at;
  }
  return -1;
}

/** Address books write one person as `Lee, Ann <ann@example.com>`. */
function withNamesInTwoParts(pieces: readonly string[]): string[] {
  const joined: string[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const isRestOfName = parseRecipient(piece).name !== null && !piece.startsWith('"');
    if (before !== undefined && isRestOfName && /^[\p{L}\p{M}' .-]+$/u.test(before))
      joined[joined.length - 1] = `${before}, ${piece}`;
    else joined.push(piece);
  }
  return joined;
}

const fields = ['name', 'firstName', 'lastName', 'email', 'phone'] as const;
type Columns = Partial<Record<(typeof fields)[number], number>>;

/** The column titles of address books, spreadsheets and CRMs, reduced to letters and digits. */
const titles: Record<(typeof fields)[number], RegExp> = {
  name: /^(full|display|contact|recipient)?name$|^contact$|^recipient$/,
  firstName: /^(first|given|fore|vor)name$/,
  lastName: /^(last|family|sur|nach)name$/,
  email: /^(e?mail(address|adresse)?|email1value|recipientemail)$/,
  phone:
    /^((mobile|tele|cell)?phone(number)?|phone1value|mobile(number)?|cell|tel|telefon|handy|number|recipientphone)$/,
};

/** The columns by header; null when the row names no address or phone column. */
function columnsIn(cells: readonly string[]): Columns | null {
  const plain = cells.map((cell) => cell.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const columns: Columns = {};
  for (const field of fields) {
    const at = plain.findIndex((title) => titles[field].test(title));
    if (at >= 0) columns[field] = at;
  }
  return columns.email === undefined && columns.phone === undefined ? null : columns;
}

/** The recipients of a row: its addresses on the selected channels with the name, or the reason why there are none. */
function recipientsIn(
  { cells, line, raw }: Row,
  { columns, channels }: { columns: Columns; channels: readonly ChannelType[] },
): Found[] {
  const cell = (field: keyof Columns) => cells[columns[field] ?? -1] ?? '';
  const name = (cell('name') || [cell('firstName'), cell('lastName')].filter(Boolean).join(' ')).replaceAll(
    /\s+/g,
    ' ',
  );
  const left = (text: string, why: string): Found[] => [{ line, raw, text: text || raw.trim(), why }];
  const [email, phone] = [cell('email') || null, cell('phone') || null];
  if (email === null && phone === null) return left(name, 'there is neither an email address nor a phone number');
  const addresses = addressesOf({ email, phone }, channels);
  const wrong = addresses.find((address) => !['email', 'phone'].includes(parseRecipient(address).kind));
  if (wrong !== undefined) return left(wrong, 'it is neither an email address nor a phone number');
  return addresses.map((address) => ({ line, raw, recipient: name === '' ? address : `${name} <${address}>` }));
}
