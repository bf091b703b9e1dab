import { rememberedKey } from '#domain/variable-values.ts';

/** A contact of the workspace, with the values that messages use. */
export type Contact = {
  name: string | null;
  first_name: string | null;
  last_name: string | null;
  salutation: string | null;
  language: string | null;
  email: string | null;
  phone: string | null;
  variables: Readonly<Record<string, string>>;
  /** False when the contact has values that were not read. */
  hasValues?: boolean;
};

/**
 * The values for a message, least specific first, so that a reminder's own values replace the contact's, these an
 * event's, and the name in the recipient list all of them. A blank value counts as none: the less specific value is
 * used, or the message is not sent. The zone, an IANA name, determines the date.
 */
export function messageValues(input: {
  recipient: string;
  recipientName: string | null;
  companyName: string;
  /** The scheduled time, in epoch milliseconds. */
  scheduledForMs: number;
  timezone: string;
  values: Readonly<Record<string, string>>;
  data: Readonly<Record<string, string>>;
  /** The recipient's contact, if the workspace has one. */
  contact: Contact | null;
}): Record<string, string> {
  const values: Record<string, string> = {
    company_name: input.companyName,
    ...calendarValues(input.scheduledForMs, input.timezone),
    recipient_name: input.recipient,
  };
  addWithoutBlanks(values, input.data);
  if (input.contact !== null) addContact(values, input.contact);
  addWithoutBlanks(values, input.values);
  values.recipient_email = addressOf(input);
  if (input.recipientName !== null) values.recipient_name = input.recipientName;
  return values;
}

/** The names under which messages use the fields of a contact. */
export const personVariables = ['first_name', 'last_name', 'salutation', 'language'] as const;

/** The contact's fields go before values of the same name, which a field without content leaves in use. */
function addContact(values: Record<string, string>, contact: Contact): void {
  addWithoutBlanks(values, contact.variables);
  const fields = personVariables.map((field): [string, string] => [field, contact[field] ?? '']);
  addWithoutBlanks(values, {
    ...Object.fromEntries(fields),
    recipient_name: contact.name ?? '',
    recipient_phone: contact.phone ?? '',
  });
}

/** The contact's address when the message goes to a number. */
const addressOf = ({ recipient, contact }: { recipient: string; contact: Contact | null }) =>
  recipient.includes('@') ? recipient : (contact?.email ?? recipient);

/** A name replaces the less specific values of its other spellings, too: `Amount` of a contact the `amount` of an event. */
function addWithoutBlanks(values: Record<string, string>, more: Readonly<Record<string, string>>): void {
  const names = Object.keys(more);
  if (names.length === 0) return;
  const before = new Map<string, string>();
  for (const name of Object.keys(values)) before.set(rememberedKey(name), name);
  for (const name of names) {
    const value = more[name];
    // Own properties are defined, because a variable may be called __proto__.
    if (value === undefined || value.trim() === '') continue;
    const other = before.get(rememberedKey(name));
    if (other !== undefined && other !== name) delete values[other];
    if (name === '__proto__')
      Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
    else values[name] = value;
  }
}

let lastCalendar: { key: string; date: Temporal.PlainDate; values: Record<string, string> } | undefined;

// Thousands of messages share one occurrence and its date, and formatting it costs more than everything else here.
function calendarValues(atMs: number, timezone: string): Record<string, string> {
  const key = `${atMs} ${timezone}`;
  if (lastCalendar?.key === key) return lastCalendar.values;
  const date = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).toPlainDate();
  const values = lastCalendar?.date.equals(date) === true ? lastCalendar.values : valuesOf(date);
  lastCalendar = { key, date, values };
  return values;
}

const valuesOf = (date: Temporal.PlainDate) => ({
  current_date: date.toLocaleString('en-US', { dateStyle: 'long' }),
  current_month: date.toLocaleString('en-US', { month: 'long' }),
  current_year: String(date.year),
});
