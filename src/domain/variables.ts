/** Somebody whom the workspace knows, as messages name them. */
export type Contact = {
  name: string | null;
  email: string | null;
  phone: string | null;
  variables: Readonly<Record<string, string>>;
};

/**
 * The values that a message may name, least specific first, so that a reminder's own values win over the contact's, these
 * over an event's, and the name that stands in the recipient list over all of them. A value left blank counts as none: what is less specific shows
 * through, or the message is not sent. The zone, an IANA name, decides what day it is.
 */
export function messageValues(input: {
  recipient: string;
  recipientName: string | null;
  companyName: string;
  scheduledFor: Temporal.Instant;
  timezone: string;
  values: Readonly<Record<string, string>>;
  data: Readonly<Record<string, string>>;
  /** Who the recipient is, where the workspace knows. */
  contact: Contact | null;
}): Record<string, string> {
  const values: Record<string, string> = {
    company_name: input.companyName,
    ...calendarValues(input.scheduledFor, input.timezone),
    recipient_name: input.recipient,
  };
  addWithoutBlanks(values, input.data);
  if (input.contact !== null) addContact(values, input.contact);
  addWithoutBlanks(values, input.values);
  values.recipient_email = addressOf(input);
  if (input.recipientName !== null) values.recipient_name = input.recipientName;
  return values;
}

function addContact(values: Record<string, string>, { name, phone, variables }: Contact): void {
  addWithoutBlanks(values, variables);
  addWithoutBlanks(values, { recipient_name: name ?? '', recipient_phone: phone ?? '' });
}

/** Where the message goes to a number, the contact's address. */
const addressOf = ({ recipient, contact }: { recipient: string; contact: Contact | null }) =>
  recipient.includes('@') ? recipient : (contact?.email ?? recipient);

function addWithoutBlanks(values: Record<string, string>, more: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(more)) {
    const value = more[name];
    // Defined, not assigned: a variable may be called __proto__.
    if (value === undefined || value.trim() === '') continue;
    if (name === '__proto__')
      Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
    else values[name] = value;
  }
}

let lastCalendar: { key: string; date: Temporal.PlainDate; values: Record<string, string> } | undefined;

// Thousands of messages share one occurrence, and their occurrences a day: formatting it costs more than everything else here.
function calendarValues(instant: Temporal.Instant, timezone: string): Record<string, string> {
  const key = `${instant.epochMilliseconds} ${timezone}`;
  if (lastCalendar?.key === key) return lastCalendar.values;
  const date = instant.toZonedDateTimeISO(timezone).toPlainDate();
  const values = lastCalendar?.date.equals(date) === true ? lastCalendar.values : valuesOf(date);
  lastCalendar = { key, date, values };
  return values;
}

const valuesOf = (date: Temporal.PlainDate) => ({
  current_date: date.toLocaleString('en-US', { dateStyle: 'long' }),
  current_month: date.toLocaleString('en-US', { month: 'long' }),
  current_year: String(date.year),
});
