import ipaddr from 'ipaddr.js';
import type { Reminder } from '#contract/reminders.ts';
import { parseCron, ScheduleError } from '#domain/cron.ts';
import { parseRecipient, recipientKey, targetsOf } from '#domain/recipients.ts';
import { render } from '#domain/template.ts';
import { type Contact, messageValues } from '#domain/variables.ts';

type Checked = Pick<Reminder, 'status' | 'schedule_config' | 'content' | 'metadata' | 'next_run_at'>;

/**
 * What a person should know before relying on a reminder: nothing here refuses it.
 * @param network.isOpen whether this installation lets messages through to a private address all the same
 * @param network.contacts whom the workspace knows of the recipients, by `recipientKey`
 */
export function warningsOf(
  reminder: Checked,
  network: { isOpen: (url: URL) => boolean; contacts: ReadonlyMap<string, Contact> },
): string[] {
  return [
    ...scheduleWarnings(reminder),
    ...contentWarnings(reminder, network),
    ...recipientWarnings(reminder),
    ...privateAddressWarnings(reminder, network),
  ];
}

function scheduleWarnings({ schedule_config: config }: Checked): string[] {
  if (config.type !== 'scheduled' || config.scheduleType !== 'custom') return [];
  try {
    parseCron(config.customCron, config.timezone);
    return [];
  } catch (error) {
    if (error instanceof ScheduleError) return [`The schedule cannot run. ${error.message}`];
    throw error;
  }
}

/** Whether the message names a variable that only the recipients' contacts can fill. */
export const needsContacts = ({ schedule_config: config, content }: Checked): boolean =>
  config.type !== 'event-based' &&
  [content.subject, content.message].some(
    (template) => render(template, valuesFor({ schedule_config: config, content })).kind === 'missing',
  );

/** Fills the message for somebody made up. What an event brings cannot be known before. */
function contentWarnings(reminder: Checked, { contacts }: { contacts: ReadonlyMap<string, Contact> }): string[] {
  const { schedule_config: config, content } = reminder;
  const values = valuesFor(reminder);
  const warnings = [content.subject, content.message].flatMap((template) => {
    const rendered = render(template, values);
    switch (rendered.kind) {
      case 'rendered':
        return [];
      case 'missing':
        return config.type === 'event-based' ? [] : missingWarnings(reminder, { template, contacts });
      case 'broken':
        return [`The message cannot be filled in and will not be sent: ${rendered.reason}`];
      default:
        return rendered satisfies never;
    }
  });
  return [...new Set(warnings)];
}

/** Whom neither the reminder nor their contact has a value for. */
function missingWarnings(
  reminder: Checked,
  { template, contacts }: { template: string; contacts: ReadonlyMap<string, Contact> },
): string[] {
  const targets = targetsOf(reminder.content.recipients, reminder.metadata.channels);
  const lacking = targets.flatMap(({ recipient }) => {
    const contact = contacts.get(recipientKey(recipient)) ?? null;
    const rendered = render(template, valuesFor(reminder, contact));
    return rendered.kind === 'missing' ? [rendered.variable] : [];
  });
  const [variable] = lacking;
  if (variable === undefined) return [];
  return lacking.length === targets.length
    ? [`The variable ${variable} has no value: the message will not be sent`]
    : [
        `The variable ${variable} has no value for ${lacking.length} of ${targets.length} recipients: they get no message`,
      ];
}

const valuesFor = (
  { schedule_config: config, content }: Pick<Checked, 'schedule_config' | 'content'>,
  contact: Contact | null = null,
) =>
  messageValues({
    recipient: 'dana@example.com',
    recipientName: 'Dana',
    companyName: 'Elm Street',
    scheduledFor: Temporal.Instant.fromEpochMilliseconds(0),
    timezone: config.timezone,
    values: content.values ?? {},
    data: {},
    contact,
  });

function recipientWarnings({ content, metadata }: Checked): string[] {
  const problems = targetsOf(content.recipients, metadata.channels).flatMap((target) =>
    target.problem === null ? [] : [target],
  );
  const [first] = problems;
  if (first === undefined) return [];
  return [
    problems.length === 1
      ? `${first.recipient}: ${first.problem}`
      : `${problems.length} recipients will be skipped, the first: ${first.problem}`,
  ];
}

/** Only hints at what is plain to see; the egress guard decides when the message is sent. */
function privateAddressWarnings({ content }: Checked, { isOpen }: { isOpen: (url: URL) => boolean }): string[] {
  const found = content.recipients.map(parseRecipient).filter(({ kind, address }) => {
    const url = kind === 'url' ? URL.parse(address) : null;
    return url !== null && leadsInside(url.hostname) && !isOpen(url);
  });
  const [first] = found;
  if (first === undefined) return [];
  return [
    found.length === 1
      ? `${first.address} leads to a private address and may be refused when it is sent`
      : `${found.length} recipients lead to private addresses and may be refused when they are sent, the first: ${first.address}`,
  ];
}

const insideName = /(^|\.)(localhost|local|internal)\.?$/i;

/** Of a parsed URL, in which only addresses are made of digits alone or stand in brackets. */
function leadsInside(host: string): boolean {
  if (!/^[\d.]+$|^\[/.test(host)) return insideName.test(host);
  return ipaddr.process(host.replace(/^\[|\]$/g, '')).range() !== 'unicast';
}
