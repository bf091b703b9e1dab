/**
 * The values that a message may name, least specific first, so that a reminder's own values win over an event's, and
 * the name that stands in the recipient list over both. A value left blank counts as none: what is less specific shows
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
}): Record<string, string> {
  const values = {
    company_name: input.companyName,
    ...calendarValues(input.scheduledFor, input.timezone),
    recipient_name: input.recipient,
    ...withoutBlanks(input.data),
    ...withoutBlanks(input.values),
    recipient_email: input.recipient,
  };
  return input.recipientName === null ? values : { ...values, recipient_name: input.recipientName };
}

const withoutBlanks = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));

let lastCalendar: { key: string; values: Record<string, string> } | undefined;

// Thousands of messages share one occurrence, and formatting a date costs more than everything else here.
function calendarValues(instant: Temporal.Instant, timezone: string): Record<string, string> {
  const key = `${instant.epochMilliseconds} ${timezone}`;
  if (lastCalendar?.key === key) return lastCalendar.values;
  const local = instant.toZonedDateTimeISO(timezone);
  const values = {
    current_date: local.toPlainDate().toLocaleString('en-US', { dateStyle: 'long' }),
    current_month: local.toPlainDate().toLocaleString('en-US', { month: 'long' }),
    current_year: String(local.year),
  };
  lastCalendar = { key, values };
  return values;
}
