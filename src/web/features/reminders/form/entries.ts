import type { ReminderDraft } from './draft.ts';

/** The recipients with one more; blank input and one already present are ignored. */
export const withRecipient = (recipients: readonly string[], text: string): string[] =>
  withRecipients(recipients, text.replaceAll(/[\r\n]+/g, ' '));

/** The recipients with those pasted, one per line; blanks and those already present are dropped. */
export function withRecipients(recipients: readonly string[], lines: string): string[] {
  const pasted = lines.split(/\r?\n/).map((line) => line.trim());
  return [...recipients, ...new Set(pasted).difference(new Set(['', ...recipients]))];
}

/** The variables with one more; blank input is ignored. */
export function withVariable(variables: readonly string[], text: string): string[] {
  const variable = text.trim();
  return variable === '' ? [...variables] : [...variables, variable];
}

/** The draft with everything added that was typed into an entry field and left there. */
export function withEntries(draft: ReminderDraft): ReminderDraft {
  const { entries, content } = draft;
  return {
    ...draft,
    content: {
      ...content,
      recipients: withRecipients(withRecipient(content.recipients, entries.recipient), entries.recipients),
      variables: withVariable(content.variables, entries.variable),
    },
    entries: { recipient: '', recipients: '', variable: '' },
  };
}
