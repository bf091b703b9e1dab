import { contactLimits, type ImportColumn, variableForm } from '#contract/contacts.ts';
import { variableKey } from '#contract/variable-name.ts';
import { Invalid } from '#platform/errors.ts';

type Field = Exclude<ImportColumn['field'], 'variable' | 'ignored'>;

/**
 * Headers are compared by letters and digits only. These are the names that address books, spreadsheets and CRMs use.
 */
const synonyms: Record<Field, readonly string[]> = {
  name: ['name', 'fullname', 'contactname', 'displayname', 'contact', 'recipient', 'recipientname'],
  first_name: ['firstname', 'givenname', 'forename', 'vorname'],
  last_name: ['lastname', 'surname', 'familyname', 'nachname'],
  email: ['email', 'mail', 'emailaddress', 'mailaddress', 'emailadresse', 'email1value', 'recipientemail'],
  phone: ['phone', 'phonenumber', 'mobile', 'mobilephone', 'mobilenumber', 'cell', 'cellphone', 'telephone'].concat([
    'tel',
    'telefon',
    'handy',
    'number',
    'phone1value',
    'recipientphone',
  ]),
  timezone: ['timezone', 'tz', 'zone', 'zeitzone'],
};

const fieldOf = new Map<string, Field>();
for (const field of ['name', 'first_name', 'last_name', 'email', 'phone', 'timezone'] as const)
  for (const synonym of synonyms[field]) fieldOf.set(synonym, field);

/**
 * Maps each column to a field, in any order. The first that matches a field is used; every other column becomes a value
 * of the contact's own under its name. Throws Invalid for a header without name, address or number.
 */
export function columnsOf(header: readonly string[]): ImportColumn[] {
  // The name appears in every problem of this column.
  if (header.some((text) => text.length > contactLimits.columnName))
    throw refused(`The name of a column is longer than ${contactLimits.columnName} characters`);
  const taken = new Set<string>();
  const columns = header.map((text): ImportColumn => {
    const field = fieldOf.get(folded(text).replaceAll(/[^\p{L}\p{N}]/gu, ''));
    if (field !== undefined && !taken.has(field)) {
      taken.add(field);
      return { header: text, field, variable: null };
    }
    const variable = variableNamed(text);
    if (variable === null || taken.has(`variable ${variableKey(variable)}`))
      return { header: text, field: 'ignored', variable: null };
    taken.add(`variable ${variableKey(variable)}`);
    return { header: text, field: 'variable', variable };
  });
  if (!taken.has('email') && !taken.has('phone'))
    throw refused('The first line must name the columns, an E-mail or a Phone column among them');
  if (columns.filter(({ field }) => field === 'variable').length > contactLimits.variables)
    throw refused(`The file has more than ${contactLimits.variables} columns of its own`);
  return columns;
}

/** `Monthly rent` is `{{monthly_rent}}`; what a message can name already keeps its name. */
function variableNamed(header: string): string | null {
  if (variableForm.test(header) && header.length <= 100) return header;
  const words = folded(header)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 100);
  if (words === '') return null;
  return /^\d/.test(words) ? `_${words}` : words;
}

const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

const refused = (message: string) => new Invalid([{ path: 'csv', message }]);
