import { isAudience } from '#contract/audience.ts';
import type { Reminder } from '#contract/reminders.ts';
import { recipientKey, targetsOf } from '#domain/recipients.ts';
import { render, renderIfPlain, type RenderTime, renderTimeFor } from '#domain/template.ts';
import { type Contact, messageValues } from '#domain/variables.ts';

/** The fields of a reminder that determine its message. */
export type Written = Pick<Reminder, 'schedule_config' | 'content' | 'metadata'>;

/** `contacts`: the recipients' contacts, by `recipientKey`. */
type Known = { contacts: ReadonlyMap<string, Contact>; time?: RenderTime };

export const cannotBeFilledText = (reason: string) => `The message cannot be filled in and will not be sent: ${reason}`;

/**
 * Whether the reminder's own values fill in the message, so that there is nothing to warn of. Which variables a Liquid template uses is known only
 * when it is rendered.
 */
export function isFilledIn(written: Pick<Written, 'schedule_config' | 'content'>): boolean {
  const values = valuesFor(written);
  return [written.content.subject, written.content.message].every(
    (template) => renderIfPlain(template, values)?.kind === 'rendered',
  );
}

/** Renders the message for an example recipient. Event data cannot be known before. */
export function messageWarnings(
  reminder: Written,
  { contacts, time = renderTimeFor(Number.POSITIVE_INFINITY) }: Known,
): string[] {
  const { schedule_config: config, content } = reminder;
  const values = valuesFor(reminder);
  const warnings = [content.subject, content.message].flatMap((template) => {
    const rendered = renderIfPlain(template, values) ?? render(template, values, { budget: time.each() });
    switch (rendered.kind) {
      case 'rendered':
        return [];
      case 'missing':
        // Missing values of an audience are shown with whom the reminder reaches.
        return config.type === 'event-based' || isAudience(reminder.metadata.audience)
          ? []
          : missingWarnings(reminder, { template, contacts, time });
      case 'broken':
        return [cannotBeFilledText(rendered.reason)];
      default:
        return rendered satisfies never;
    }
  });
  return [...new Set(warnings)];
}

/** The recipients for whom neither the reminder nor their contact has a value. */
function missingWarnings(
  reminder: Written,
  { template, contacts, time }: Required<Known> & { template: string },
): string[] {
  const targets = targetsOf(reminder.content.recipients, reminder.metadata.channels);
  const lacking = targets.flatMap(({ recipient }) => {
    const contact = contacts.get(recipientKey(recipient)) ?? null;
    if (time.whole.isOver() || contact?.hasValues === false) return [];
    const rendered = render(template, valuesFor(reminder, contact), { budget: time.each() });
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

/** The values for an example recipient: only the built-in variables depend on the recipient. */
export const valuesFor = (
  { schedule_config: config, content }: Pick<Written, 'schedule_config' | 'content'>,
  contact: Contact | null = null,
) =>
  messageValues({
    recipient: 'dana@example.com',
    recipientName: 'Dana',
    companyName: 'Elm Street',
    scheduledForMs: 0,
    timezone: config.timezone,
    values: content.values ?? {},
    data: {},
    contact,
  });
