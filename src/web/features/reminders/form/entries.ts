import type { ReminderDraft } from './draft.ts';
import { readRecipients } from './recipients/read-recipients.ts';

/** The recipients with one more; blank input and one already present are ignored. */
export const withRecipient = (recipients: readonly string[], text: string): string[] =>
  withRecipients(recipients, text.replaceAll(/[\r\n]+/g, ' '));

/** The recipients with these, one per line; blanks and those already present are dropped. */
export function withRecipients(recipients: readonly string[], lines: string): string[] {
  const pasted = lines.split(/\r?\n/).map((line) => line.trim());
  return [...recipients, ...new Set(pasted).difference(new Set(['', ...recipients]))];
}

/** The variables with one more; blank input is ignored. */
export function withVariable(variables: readonly string[], text: string): string[] {
  const variable = text.trim();
  return variable === '' ? [...variables] : [...variables, variable];
}

/** The draft with everything added that was typed into an entry field and left there; what cannot be used stays there. */
export function withEntries(draft: ReminderDraft): ReminderDraft {
  const { entries, content, metadata } = draft;
  const recipients = withRecipient(content.recipients, entries.recipient);
  const { added, rest } = readRecipients(entries.recipients, { recipients, channels: metadata.channels });
  return {
    ...draft,
    content: {
      ...content,
      recipients: [...recipients, ...added],
      variables: withVariable(content.variables, entries.variable),
    },
    entries: { ...entries, recipient: '', recipients: rest, variable: '' },
  };
}
