import { Tags, withoutTwice } from '#contract/audience.ts';
import type { ImportColumn, ImportProblem } from '#contract/contact-imports.ts';
import { InstantInput } from '#contract/common.ts';
import { ContactEmail, ContactName, contactLimits, type PreferableChannel } from '#contract/contacts.ts';
import { invisibleInAddress, invisibleInName } from '#contract/invisible.ts';
import { languageNamed, notALanguage } from '#contract/languages.ts';
import { PauseDay } from '#contract/pause-day.ts';
import { TimeZone } from '#contract/schedules.ts';
import { type Dialling, e164, notANumber } from '#delivery/phone.ts';
import { oneLine } from '#domain/one-line.ts';
import type { ContactFields } from '#features/contacts/contacts.db.ts';
import type { CsvRow } from '#features/contacts/csv.ts';

/** The fields of a contact about whom a line says nothing. */
export const noFields = {
  name: null,
  first_name: null,
  last_name: null,
  salutation: null,
  language: null,
  preferred_channel: null,
  note: null,
  email: null,
  phone: null,
  timezone: null,
} as const;

/** A parsed line: the contact's values, why it cannot be used, and what was left out. */
export type Entry = {
  line: number;
  fields: ContactFields;
  /** When they agreed to be written to, by an ISO instant; null where the line does not say it. */
  consentAt: string | null;
  problems: ImportProblem[];
  left: ImportProblem[];
};

/** Parses a row of the file. A blank cell keeps the stored value. */
export function entryOf(
  { line, cells, problem }: CsvRow,
  {
    columns,
    dialling,
    tags,
  }: {
    columns: readonly ImportColumn[];
    dialling: Dialling;
    /** Those of everybody in the file. */
    tags: readonly string[];
  },
): Entry {
  const fields: ContactFields = { ...noFields, variables: {} };
  const problems: ImportProblem[] = problem === null ? [] : [ofLine(problem)];
  if (cells.slice(columns.length).some((cell) => cell !== ''))
    problems.push(ofLine('Has more values than the first line has columns'));
  const left: ImportProblem[] = [];
  let consentAt: string | null = null;
  for (const [index, { header, field, variable }] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '' || field === 'ignored') continue;
    const ofValue = (message: string): ImportProblem => ({ code: 'unusable_value', column: header, message });
    const wrong = (message: string) => void problems.push(ofValue(message));
    // Leaves a value out and keeps the rest of the line.
    const leave = (message: string) => void left.push(ofValue(message));
    if (!cell.isWellFormed() || cell.includes('\0')) {
      wrong('Contains an invalid character');
      continue;
    }
    switch (field) {
      case 'name':
        fields.name = oneLine(cell);
        break;
      case 'first_name':
      case 'last_name':
      case 'salutation': {
        const text = oneLine(cell);
        const most = field === 'salutation' ? contactLimits.salutation : contactLimits.partOfName;
        const unseen = invisibleInName(text);
        if (text.length > most) wrong(`Is longer than ${most} characters`);
        else if (unseen !== null) wrong(`“${shown(cell)}” ${unseen}`);
        else if (text !== '') fields[field] = text;
        break;
      }
      case 'language':
        fields.language = languageNamed(cell);
        if (fields.language === null) leave(`“${shown(cell)}” ${notALanguage}`);
        break;
      case 'preferred_channel':
        fields.preferred_channel = channelNamed(cell);
        if (fields.preferred_channel === null)
          leave(`“${shown(cell)}” is none of the channels email, sms and whatsapp`);
        break;
      case 'paused_until':
        if (PauseDay.safeParse(cell.trim()).success) fields.paused_until = cell.trim();
        else leave(`“${shown(cell)}” is not a day such as 2026-12-01, from 2000 to 2099`);
        break;
      case 'note':
        if (cell.trim().length > contactLimits.note) leave(`The note is longer than ${contactLimits.note} characters`);
        else if (cell.trim() !== '') fields.note = cell.trim();
        break;
      case 'email': {
        const unseen = invisibleInAddress(cell);
        if (unseen !== null) leave(`“${shown(cell)}” ${unseen}`);
        else if (!ContactEmail.safeParse(cell).success) leave(`“${shown(cell)}” is not an email address`);
        else fields.email = cell.toLowerCase();
        break;
      }
      case 'phone': {
        const unseen = invisibleInAddress(cell);
        fields.phone = cell.length > contactLimits.phone || unseen !== null ? null : e164(cell, dialling);
        if (fields.phone === null) leave(unseen === null ? notANumber(shown(cell)) : `“${shown(cell)}” ${unseen}`);
        break;
      }
      case 'timezone': {
        const zone = TimeZone.safeParse(cell);
        if (zone.success) fields.timezone = zone.data;
        else leave(`“${shown(cell)}” is not a known timezone, for example Europe/Berlin`);
        break;
      }
      case 'tags': {
        if (cell.length > longestTags) {
          leave(`The tags cannot be used: they have more than ${longestTags} characters`);
          break;
        }
        const parsed = Tags.safeParse(tagsIn(cell));
        if (parsed.success) fields.tags = parsed.data;
        else leave(`The tags cannot be used: ${parsed.error.issues[0]?.message}`);
        break;
      }
      case 'consent_at':
        consentAt = instantIn(cell.trim());
        if (consentAt === null) leave(`“${shown(cell)}” is not a time such as 2026-01-02 or 2026-01-02T09:00:00Z`);
        break;
      case 'variable':
        if (cell.length > contactLimits.value) wrong(`Is longer than ${contactLimits.value} characters`);
        else if (variable !== null) fields.variables[variable] = cell;
        break;
      default:
        field satisfies never;
    }
  }
  if (tags.length > 0) fields.tags = withoutTwice([...(fields.tags ?? []), ...tags]);
  const { error } = ContactName.safeParse(fields.name);
  for (const { code, message } of error?.issues ?? [])
    problems.push(
      ofLine(code === 'too_big' ? `The name is longer than ${contactLimits.name} characters` : `The name ${message}`),
    );
  // A contact is found by its address or number, so it needs one.
  if (fields.email === null && fields.phone === null) {
    problems.unshift(...left.splice(0));
    if (problems.length === 0) problems.push(noAddress);
  }
  return { line, fields, consentAt, problems, left };
}

/** A day counts from its beginning in UTC. */
function instantIn(cell: string): string | null {
  const { data: instant } = InstantInput.safeParse(/^\d{4}-\d\d-\d\d$/.test(cell) ? `${cell}T00:00:00Z` : cell);
  return instant ?? null;
}

const ofLine = (message: string): ImportProblem => ({ code: 'unusable_line', column: null, message });

const noAddress: ImportProblem = {
  code: 'no_address',
  column: null,
  message: 'Has neither an email address nor a phone number',
};

/** The channel that a cell names; null for other words. */
export const channelNamed = (cell: string): PreferableChannel | null =>
  channelNames.get(cell.trim().toLowerCase()) ?? null;

const channelNames = new Map<string, PreferableChannel>([
  ['email', 'email'],
  ['e-mail', 'email'],
  ['mail', 'email'],
  ['sms', 'sms'],
  ['text', 'sms'],
  ['text message', 'sms'],
  ['whatsapp', 'whatsapp'],
  ['whats app', 'whatsapp'],
]);

/** Characters of a cell with tags. */
const longestTags = 10_000;

/** The tags in a cell, separated by semicolons or, without any, by commas. */
const tagsIn = (cell: string) =>
  cell
    .split(cell.includes(';') ? ';' : ',')
    .map((tag) => oneLine(tag))
    .filter((tag) => tag !== '');

const shown = (cell: string) => (cell.length > 80 ? `${cell.slice(0, 80)}…` : cell);
