import { valuesFor, type Written } from '#domain/message-warnings.ts';
import { recipientKey, targetsOf } from '#domain/recipients.ts';
import { namesNeeded } from '#domain/template.ts';
import { hasValue } from '#domain/variable-values.ts';
import type { Contact } from '#domain/variables.ts';

/** The variables that the message needs and the reminder has no value for. An event may bring any. */
export function unfilledNames(reminder: Written): string[] {
  const { schedule_config: config, content } = reminder;
  if (config.type === 'event-based') return [];
  const needed = new Set([content.subject, content.message].flatMap(namesNeeded));
  const values = valuesFor(reminder);
  return [...needed].filter((name) => !hasValue(values, name));
}

/**
 * Of these variables, those that some delivery lacks, if every delivery lacks one: none can be sent then.
 * @param contacts the recipients' contacts, by `recipientKey`
 */
export function missingForAll(
  reminder: Written,
  { names, contacts }: { names: readonly string[]; contacts: ReadonlyMap<string, Contact> },
): string[] {
  const targets = targetsOf(reminder.content.recipients, reminder.metadata.channels);
  const reachable = targets.filter(({ problem }) => problem === null);
  const missing = new Set<string>();
  for (const contact of new Set(reachable.map(({ recipient }) => contacts.get(recipientKey(recipient)) ?? null))) {
    // Values that were not read are checked when the message is sent.
    if (contact?.hasValues === false) return [];
    const values = valuesFor(reminder, contact);
    const lacking = names.filter((name) => !hasValue(values, name));
    if (lacking.length === 0) return [];
    for (const name of lacking) missing.add(name);
  }
  return names.filter((name) => missing.has(name));
}
