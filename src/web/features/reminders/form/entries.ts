import { needsRecipients } from '#contract/channel-types.ts';
import type { ReminderDraft } from './draft.ts';
import { readRecipients } from './recipients/read-recipients.ts';

/** Adds a recipient; blank and existing ones are ignored. */
export const withRecipient = (recipients: readonly string[], text: string): string[] =>
  withRecipients(recipients, text.replaceAll(/[\r\n]+/g, ' '));

/** Adds recipients, one per line; blank and existing ones are ignored. */
export function withRecipients(recipients: readonly string[], lines: string): string[] {
  const pasted = lines.split(/\r?\n/).map((line) => line.trim());
  return [...recipients, ...new Set(pasted).difference(new Set(['', ...recipients]))];
}

/** Adds a variable; blank input is ignored. */
export function withVariable(variables: readonly string[], text: string): string[] {
  const variable = text.trim();
  return variable === '' ? [...variables] : [...variables, variable];
}

/** SMS and WhatsApp messages show no subject. */
export const showsSubject = (channels: ReminderDraft['metadata']['channels']): boolean =>
  channels.length === 0 || channels.some((channel) => channel !== 'sms' && channel !== 'whatsapp');

/** Adds the text of the entry fields to the draft; unusable text stays in its field. */
export function withEntries(draft: ReminderDraft): ReminderDraft {
  const { entries, content, metadata } = draft;
  const { recipients, typed } = withTypedRecipients(draft);
  return {
    ...draft,
    content: {
      ...content,
      subject: content.subject.trim() === '' && !showsSubject(metadata.channels) ? draft.name.trim() : content.subject,
      recipients,
      variables: withVariable(content.variables, entries.variable),
    },
    entries: { ...entries, ...typed, variable: '' },
  };
}

/** Nothing is added where no channel is sent to people: the fields are not shown there. */
function withTypedRecipients({ entries, content, metadata: { channels } }: ReminderDraft) {
  if (!needsRecipients(channels)) return { recipients: content.recipients, typed: {} };
  const recipients = withRecipient(content.recipients, entries.recipient);
  const { added, rest } = readRecipients(entries.recipients, { recipients, channels });
  return { recipients: [...recipients, ...added], typed: { recipient: '', recipients: rest } };
}
