import { type ColumnChoice, columnFields, type ImportColumn } from '#contract/contact-imports.ts';
import { contactLimits, variableForm } from '#contract/contacts.ts';
import { parseEmail } from '#contract/email-address.ts';
import type { FieldError } from '#contract/errors.ts';
import { TimeZone } from '#contract/schedules.ts';
import { variableKey } from '#contract/variable-name.ts';
import { parseRecipient } from '#domain/recipients.ts';
import { Invalid } from '#platform/errors.ts';
import { titleLines } from './csv.ts';
import { channelNamed } from './import-rows.ts';

/** Those that a header can name: when somebody agreed is chosen on purpose. */
type Field = Exclude<ImportColumn['field'], 'variable' | 'ignored' | 'consent_at'>;

/**
 * Headers are compared by letters and digits only. These are the names that address books, spreadsheets and CRMs use.
 */
const synonyms: Record<Field, readonly string[]> = {
  name: ['name', 'fullname', 'contactname', 'displayname', 'contact', 'recipient', 'recipientname'].concat([
    'vollstandigername',
    'kontakt',
    'kontaktname',
    'ansprechpartner',
    'mieter',
    'kunde',
  ]),
  first_name: ['firstname', 'givenname', 'forename', 'vorname'],
  last_name: ['lastname', 'surname', 'familyname', 'nachname', 'familienname', 'zuname'],
  email: [
    'email',
    'mail',
    'emailaddress',
    'mailaddress',
    'emailadresse',
    'mailadresse',
    'email1value',
    'recipientemail',
  ],
  phone: ['phone', 'phonenumber', 'mobile', 'mobilephone', 'mobilenumber', 'cell', 'cellphone', 'telephone'].concat([
    'tel',
    'telefon',
    'telefonnummer',
    'handy',
    'handynummer',
    'mobil',
    'mobilnummer',
    'mobiltelefon',
    'rufnummer',
    'number',
    'phone1value',
    'recipientphone',
  ]),
  timezone: ['timezone', 'tz', 'zone', 'zeitzone'],
  salutation: ['salutation', 'honorific', 'anrede'],
  language: ['language', 'lang', 'preferredlanguage', 'sprache'],
  preferred_channel: ['preferredchannel', 'bevorzugterkanal', 'channel', 'kanal', 'contactchannel', 'kontaktkanal'],
  paused_until: ['noremindersbefore', 'keineerinnerungenvor'],
  note: ['note', 'notes', 'notiz', 'notizen', 'bemerkung', 'bemerkungen', 'anmerkung', 'anmerkungen'],
  tags: ['tags', 'tag', 'labels', 'schlagworte', 'schlagworter'],
};

/**
 * Fields added later. A column that is the only one of such a field stays a value if contacts have a value of its name, because messages may
 * use it.
 */
const laterFields: readonly Field[] = ['salutation', 'language', 'preferred_channel', 'paused_until', 'note'];
const fieldOf = new Map<string, Field>();
for (const field of columnFields)
  if (field !== 'variable' && field !== 'ignored' && field !== 'consent_at')
    for (const synonym of synonyms[field]) fieldOf.set(synonym, field);

/** The columns that the file of lines with problems has beside those of the imported one: a corrected file is imported without them. */
export const problemColumns = ['Line in the file', 'Problem in the import'] as const;

/** How many cells of each column are examined to recognize its content, within the first rows, and how many are shown. */
const cellsRead = 100;
const rowsRead = 2_000;
const samplesShown = 3;
const longestSample = 80;

/**
 * Maps each column to a field: as chosen, or else by its name and its content. The first column that matches a field is used; every
 * other one becomes a value of the contact's own under its name. Throws Invalid for choices that cannot be.
 */
export function columnsOf(
  header: readonly string[],
  {
    rows,
    chosen,
    inUse,
  }: {
    rows: readonly (readonly string[])[];
    chosen: readonly ColumnChoice[] | undefined;
    /** The names of the values that contacts have: one that an earlier version made of a header stays its name. */
    inUse: ReadonlySet<string>;
  },
): ImportColumn[] {
  // The name appears in every problem of this column.
  if (header.some((text) => text.length > contactLimits.columnName))
    throw refused(`The name of a column is longer than ${contactLimits.columnName} characters`);
  const first = rows.slice(0, rowsRead);
  const cells = header.map((_, index) => cellsOf(first, index));
  const choices = chosen === undefined ? guessed(header, { cells, inUse }) : checked(header, { chosen, inUse });
  if (choices.filter(({ field }) => field === 'variable').length > contactLimits.variables)
    throw refused(`The file has more than ${contactLimits.variables} columns of its own`);
  return choices.map((choice, index) => ({
    header: header[index] ?? '',
    ...choice,
    samples: [...new Set(cells[index])].slice(0, samplesShown).map(shortened),
  }));
}

/**
 * The row with the names of the columns: the first one of several values, unless one before it names a column or somebody. What stands above it is a
 * title.
 */
export function headerAt(rows: readonly (readonly string[])[]): number {
  const filled = rows.slice(0, titleLines).map((cells) => cells.filter((cell) => cell.trim() !== ''));
  const at = filled.findIndex((cells) => cells.length > 1);
  const isTitle = filled
    .slice(0, Math.max(at, 0))
    .every((cells) => cells.every((text) => fieldNamed(text) === undefined && !looksLikeData([text])));
  return isTitle && at > 0 ? at : 0;
}

const fieldNamed = (text: string) => fieldOf.get(plainOf(text));

const plainOf = (text: string) => folded(text).replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Throws Invalid when no column is an address or a number, by which contacts are found. */
export function assertFindable(columns: readonly ImportColumn[]): void {
  if (!columns.some(({ field }) => field === 'email' || field === 'phone'))
    throw refused('The first line must name the columns, an Email or a Phone column among them');
}

/** Whether the first line looks like a contact instead of a header. */
export const looksLikeData = (header: readonly string[]): boolean =>
  header.some((text) => text.includes('@') && parseEmail(text.trim()) !== null);

function cellsOf(rows: readonly (readonly string[])[], index: number): string[] {
  const cells: string[] = [];
  for (const row of rows) {
    const cell = (row[index] ?? '').trim();
    if (cell !== '') cells.push(cell);
    if (cells.length === cellsRead) break;
  }
  return cells;
}

function guessed(
  header: readonly string[],
  { cells, inUse }: { cells: readonly (readonly string[])[]; inUse: ReadonlySet<string> },
): ColumnChoice[] {
  const taken = new Set<string>();
  const take = (field: Field | undefined): field is Field => {
    if (field === undefined || taken.has(field)) return false;
    taken.add(field);
    return true;
  };
  const named = header.map(fieldNamed);
  const isValue = (field: Field, text: string) =>
    laterFields.includes(field) && named.filter((one) => one === field).length === 1 && inUse.has(nameOf(text) ?? '');
  const byName = header.map((text, index) => {
    const field = named[index];
    return field !== undefined && !isValue(field, text) && isMeant(text, cells[index] ?? []) && take(field)
      ? field
      : null;
  });
  // If the first line is data, it says nothing about the columns.
  const isHeader = !looksLikeData(header);
  return header.map((text, index): ColumnChoice => {
    if (problemColumns.some((column) => column === text)) return { field: 'ignored', variable: null };
    const known = byName[index] ?? null;
    if (known !== null) return { field: known, variable: null };
    const content = isHeader ? fieldIn(cells[index] ?? [], wordsOf(text)) : undefined;
    if (take(content)) return { field: content, variable: null };
    const variable = variableNamed(text, inUse);
    const key = variable === null ? null : `variable ${variableKey(variable)}`;
    if (key === null || taken.has(key)) return { field: 'ignored', variable: null };
    taken.add(key);
    return { field: 'variable', variable };
  });
}

/** A column *Channel* may also say where somebody came from. */
const isMeant = (header: string, cells: readonly string[]) =>
  !['channel', 'kanal'].includes(plainOf(header)) || isMostly(cells, (cell) => channelNamed(cell) !== null);

const isMostly = (cells: readonly string[], test: (cell: string) => boolean) =>
  cells.filter(test).length >= cells.length * 0.8;

const wordsOf = (header: string) => folded(header).split(/[^\p{L}\p{N}]+/u);

/** Without `number`, which may be that of a contract. */
const phoneWords = new Set(['phone', 'mobile', 'cell', 'telephone', 'tel', 'telefon', 'handy', 'mobil', 'rufnummer']);

const localNumber = /^[+(]?\d[\d ()/.-]{5,30}$/;

/** Recognizes a column by its cells, where nearly all are addresses or numbers. `words` are those of its header. */
function fieldIn(cells: readonly string[], words: readonly string[]): 'email' | 'phone' | 'timezone' | undefined {
  if (cells.length === 0) return undefined;
  if (isMostly(cells, (cell) => cell.includes('@') && parseEmail(cell) !== null)) return 'email';
  // Amounts, dates and house numbers look like local phone numbers, so these are recognized only below a header such as `Tel. mobil`.
  if (words.some((word) => phoneWords.has(word)) && isMostly(cells, (cell) => localNumber.test(cell))) return 'phone';
  if (isMostly(cells, (cell) => /^(?:\+|00)/.test(cell) && parseRecipient(cell).kind === 'phone')) return 'phone';
  if (isMostly(cells, (cell) => /^[A-Z][A-Za-z]+\//.test(cell) && TimeZone.safeParse(cell).success)) return 'timezone';
  return undefined;
}

function checked(
  header: readonly string[],
  { chosen, inUse }: { chosen: readonly ColumnChoice[]; inUse: ReadonlySet<string> },
): ColumnChoice[] {
  if (chosen.length !== header.length)
    throw new Invalid([{ path: 'columns', message: `The file has ${header.length} columns` }]);
  const errors: FieldError[] = [];
  const taken = new Map<string, number>();
  const choices = chosen.map(({ field, variable }, index): ColumnChoice => {
    const name = field === 'variable' ? (variable ?? variableNamed(header[index] ?? '', inUse)) : null;
    if (field === 'variable' && name === null)
      errors.push({ path: `columns.${index}.variable`, message: 'Enter a name for this value' });
    const key = name === null ? field : `variable ${variableKey(name)}`;
    const other = taken.get(key);
    if (other !== undefined && field !== 'ignored')
      errors.push({ path: `columns.${index}.field`, message: `is the same as column ${other + 1}, ${header[other]}` });
    taken.set(key, index);
    return { field, variable: name };
  });
  if (errors.length > 0) throw new Invalid(errors);
  return choices;
}

/** The name of a contact's own value: `Monthly rent` becomes `{{monthly_rent}}`; a valid name stays as it is. */
function variableNamed(header: string, inUse: ReadonlySet<string>): string | null {
  if (variableForm.test(header) && header.length <= 100) return header;
  const name = nameOf(header.replaceAll(/[ßẞ]/g, 'ss'));
  if (!hasSharpS(header) || (name !== null && inUse.has(name))) return name;
  // Earlier versions read ß as no letter: `Straße` was `stra_e`, and messages name it so.
  const former = nameOf(header);
  return former !== null && inUse.has(former) ? former : name;
}

const hasSharpS = (text: string): boolean => /[ßẞ]/.test(text);

function nameOf(text: string): string | null {
  const words = folded(text)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 100);
  if (words === '') return null;
  return /^\d/.test(words) ? `_${words}` : words;
}

const shortened = (cell: string) => (cell.length > longestSample ? `${cell.slice(0, longestSample - 1)}…` : cell);

const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

const refused = (message: string) => new Invalid([{ path: 'csv', message }]);
