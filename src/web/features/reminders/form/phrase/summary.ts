import type { NamedAudience, Part, Understood } from '#domain/phrase.ts';
import type { FormTab } from '#web/features/reminders/form/form-tabs.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import type { Reading } from './read-phrase.ts';

export type SummaryRow = { label: 'When' | 'Channels' | 'To' | 'Message'; text: string; tab: FormTab };
export type SummaryRemark = { kind: 'problem' | 'unknown' | 'note'; text: string };

const namedAtMost = 3;

/** The understood values, each with the tab that edits it. */
export function rowsOf({ schedule, channels, isInOrder, recipients, parts, message }: Understood): SummaryRow[] {
  const people = parts.flatMap((part) =>
    part.kind === 'audience' && (part.named !== null || part.people.length > 0) ? [foundText(part)] : [],
  );
  const names = channels.map((channel) => channelLooks[channel].name);
  const rows: (SummaryRow | null)[] = [
    schedule && { label: 'When', text: schedule.wording, tab: 'schedule' },
    isInOrder ? { label: 'Channels', text: names.join(', then '), tab: 'channels' } : rowOf('Channels', names),
    rowOf('To', [...recipients, ...people]),
    message && { label: 'Message', text: message.message, tab: 'content' },
  ];
  return rows.filter((row) => row !== null);
}

/** Remarks on a reading: problems, words that were not understood, and ambiguities. */
export function remarksOf({ understood, areContactsKnown }: Reading): SummaryRemark[] {
  const { problems, leftOver, parts, notes } = understood;
  const strangers = parts.flatMap((part) =>
    part.kind === 'audience' && part.people.length === 0 && part.named === null && !part.isExplained
      ? [part.audience]
      : [],
  );
  return [
    ...problems.map(({ text }) => ({ kind: 'problem' as const, text })),
    ...leftOver.map(({ words }) => ({ kind: 'unknown' as const, text: `Not understood: “${words}”` })),
    ...strangers.map((audience) => ({ kind: 'unknown' as const, text: strangerText(audience, areContactsKnown) })),
    ...notes.map(({ text }) => ({ kind: 'note' as const, text })),
  ];
}

/** The whole reading as text for screen readers. */
export const spokenSummary = (rows: readonly SummaryRow[], remarks: readonly SummaryRemark[]): string =>
  [
    'Filled in.',
    ...rows.map(({ label, text }) => `${label}: ${withStop(text)}`),
    ...remarks.map(({ text }) => withStop(text)),
  ].join(' ');

/** Why nothing was filled in, as text for screen readers. */
export const spokenRefusal = (remarks: readonly SummaryRemark[]): string =>
  ['Nothing was filled in.', ...remarks.map(({ text }) => withStop(text))].join(' ');

function rowOf(label: 'Channels' | 'To', words: readonly string[]): SummaryRow | null {
  if (words.length === 0) return null;
  const more = words.length - namedAtMost;
  const named = words.slice(0, namedAtMost).join(', ');
  return { label, text: more > 0 ? `${named} and ${more} more` : named, tab: 'channels' };
}

function foundText({ audience, people, named }: Extract<Part, { kind: 'audience' }>): string {
  if (named !== null) return named.kind === 'everyone' ? 'everyone' : `${nameOf(named)} (${named.kind})`;
  const [first] = people;
  if (people.length > 1) return `${audience} (${people.length} contacts)`;
  return first?.name === 'me' ? `me (${first.email})` : `${first?.name ?? audience} (1 contact)`;
}

const nameOf = (named: Exclude<NamedAudience, { kind: 'everyone' }>) =>
  named.kind === 'group' ? named.name : named.tag;

const strangerText = (audience: string, areContactsKnown: boolean) =>
  areContactsKnown
    ? `No contact, group or tag is called “${audience}”: add the recipients under Channels`
    : `The contacts could not be searched for “${audience}”: add the recipients under Channels`;

const withStop = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);
