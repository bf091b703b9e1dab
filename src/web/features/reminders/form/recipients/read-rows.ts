import type { ChannelType } from '#contract/channel-types.ts';
import { parseRecipient } from '#domain/recipients.ts';
import { addressesOf } from '#web/features/reminders/form/addresses-of.ts';
import type { Found } from './read-recipients.ts';
import type { Row } from './table.ts';

const fields = ['name', 'firstName', 'lastName', 'email', 'phone'] as const;
export type Columns = Partial<Record<(typeof fields)[number], number>>;

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
export function columnsIn(cells: readonly string[]): Columns | null {
  const plain = cells.map((cell) => cell.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const columns: Columns = {};
  for (const field of fields) {
    const at = plain.findIndex((title) => titles[field].test(title));
    if (at >= 0) columns[field] = at;
  }
  return columns.email === undefined && columns.phone === undefined ? null : columns;
}

/** The recipients of a row: its addresses on the selected channels with the name, or the reason why there are none. */
export function recipientsIn(
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
  if (email === null && phone === null) return left(name, 'there is neither an e-mail address nor a phone number');
  const addresses = addressesOf({ email, phone }, channels);
  const wrong = addresses.find((address) => !['email', 'phone'].includes(parseRecipient(address).kind));
  if (wrong !== undefined) return left(wrong, 'it is neither an e-mail address nor a phone number');
  return addresses.map((address) => ({ line, raw, recipient: name === '' ? address : `${name} <${address}>` }));
}
