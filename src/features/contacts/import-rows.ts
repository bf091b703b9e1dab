import { ContactEmail, contactLimits, type ImportColumn, type ImportRow } from '#contract/contacts.ts';
import { TimeZone } from '#contract/schedules.ts';
import { type Dialling, e164, notANumber } from '#delivery/phone.ts';
import type { ContactFields } from '#features/contacts/contacts.db.ts';
import type { CsvRow } from '#features/contacts/csv.ts';

/** One line, read: what it says of a contact, and what of it is wrong. */
export type Entry = { line: number; fields: ContactFields; problems: ImportRow['problems'] };

/** Reads a row of the file by its columns. What is left blank says nothing. */
export function entryOf(
  { line, cells, problem }: CsvRow,
  { columns, dialling }: { columns: readonly ImportColumn[]; dialling: Dialling },
): Entry {
  const fields: ContactFields = { name: null, email: null, phone: null, timezone: null, variables: {} };
  const problems: ImportRow['problems'] = problem === null ? [] : [{ column: null, message: problem }];
  if (cells.slice(columns.length).some((cell) => cell !== ''))
    problems.push({ column: null, message: 'Has more values than the first line has columns' });
  const names = { first_name: '', last_name: '' };
  for (const [index, { header, field, variable }] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '' || field === 'ignored') continue;
    const wrong = (message: string) => void problems.push({ column: header, message });
    if (!cell.isWellFormed() || cell.includes('\0')) {
      wrong('Holds a character that is none');
      continue;
    }
    switch (field) {
      case 'name':
        fields.name = cell;
        break;
      case 'first_name':
      case 'last_name':
        names[field] = cell;
        break;
      case 'email':
        if (!ContactEmail.safeParse(cell).success) wrong(`“${shown(cell)}” is not an e-mail address`);
        else fields.email = cell.toLowerCase();
        break;
      case 'phone':
        fields.phone = cell.length > contactLimits.phone ? null : e164(cell, dialling);
        if (fields.phone === null) wrong(notANumber(shown(cell)));
        break;
      case 'timezone': {
        const zone = TimeZone.safeParse(cell);
        if (zone.success) fields.timezone = zone.data;
        else wrong(`“${shown(cell)}” is not a known time zone, for example Europe/Berlin`);
        break;
      }
      case 'variable':
        if (cell.length > contactLimits.value) wrong(`Is longer than ${contactLimits.value} characters`);
        else if (variable !== null) fields.variables[variable] = cell;
        break;
      default:
        field satisfies never;
    }
  }
  const fullName = `${names.first_name} ${names.last_name}`.trim();
  if (fields.name === null && fullName !== '') fields.name = fullName;
  if (fields.name !== null && fields.name.length > contactLimits.name)
    problems.push({ column: null, message: `The name is longer than ${contactLimits.name} characters` });
  // Without either nobody can tell whether the contact is known.
  if (problems.length === 0 && fields.email === null && fields.phone === null)
    problems.push({ column: null, message: 'Has neither an e-mail address nor a phone number' });
  return { line, fields, problems };
}

const shown = (cell: string) => (cell.length > 80 ? `${cell.slice(0, 80)}…` : cell);
