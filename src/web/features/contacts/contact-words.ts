import { counted } from '#domain/in-words.ts';
import type { ImportRow, UndoCounts, UndoPreview } from '#contract/contact-imports.ts';
import type { Contact } from '#contract/contacts.ts';

/** The contact's name, or else its address or number. */
export const displayNameOf = ({ name, email, phone }: Pick<Contact, 'name' | 'email' | 'phone'>): string =>
  name ?? email ?? phone ?? '';

/** The name with the address or number, where people are picked: several may have one name. */
export function labelOf({ name, email, phone }: Pick<Contact, 'name' | 'email' | 'phone'>): string {
  const address = email ?? phone;
  return name === null ? (address ?? '') : address === null ? name : `${name} (${address})`;
}

type Counts = Record<ImportRow['result'], number>;

/** The counts of an import: `3 new, 2 changed, 1 unchanged, 1 joined with another line, 4 left out`. */
export function countsInWords({ created, updated, unchanged, joined, failed }: Counts): string {
  const parts = [
    [created, 'new'],
    [updated, 'changed'],
    [unchanged, 'unchanged'],
    [joined, 'joined with another line'],
    [failed, 'left out'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, words]) => `${count.toLocaleString('en')} ${words}`);
  return said.length === 0 ? 'No contacts' : said.join(', ');
}

/** `The import is undone: 2 contacts deleted, 1 contact restored. 1 contact was changed since and stays.` */
export function undoInWords({ deleted, restored, kept }: UndoCounts): string {
  const parts = [
    [deleted, 'deleted'],
    [restored, 'restored'],
  ] as const;
  const done = parts.filter(([count]) => count > 0).map(([count, word]) => `${counted(count, 'contact')} ${word}`);
  const stays =
    kept === 0
      ? ''
      : ` ${counted(kept, 'contact')} ${kept === 1 ? 'was changed since and stays' : 'were changed since and stay'}.`;
  return done.length === 0 ? `Nothing was undone.${stays}` : `The import is undone: ${done.join(', ')}.${stays}`;
}

/** What undoing an import will do, as sentences. */
export function undoPreviewInWords({ deleted, restored, kept, reminders, written_to: written }: UndoPreview): string[] {
  const are = (count: number) => (count === 1 ? 'is' : 'are');
  const sentences: [count: number, sentence: string][] = [
    [deleted, `${counted(deleted, 'contact')} that it added ${are(deleted)} deleted, and cannot be brought back.`],
    [written, `${written.toLocaleString('en')} of them ${written === 1 ? 'has' : 'have'} got messages already.`],
    [
      reminders,
      `${counted(reminders, 'active reminder')} ${are(reminders)} sent to them, and will no longer reach them.`,
    ],
    [restored, `${counted(restored, 'contact')} that it changed ${are(restored)} changed back.`],
    [
      kept,
      `${counted(kept, 'contact')} ${kept === 1 ? 'was' : 'were'} changed or deleted since, and ${kept === 1 ? 'stays' : 'stay'} so.`,
    ],
  ];
  return sentences.filter(([count]) => count > 0).map(([, sentence]) => sentence);
}
