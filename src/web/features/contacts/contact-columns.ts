import { useLocalStorage } from '@mantine/hooks';
import { z } from 'zod';
import type { ContactSort } from '#contract/contact-sorts.ts';
import { variableForm } from '#contract/contacts.ts';
import { contactFieldTitles } from '#domain/contact-fields.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { useSession } from '#web/api/session.ts';

/** The columns that a list of contacts may have beside the name, in their order, with their widths as parts of the whole, and the least of them in px. */
const known = {
  email: { title: contactFieldTitles.email, width: 0 },
  phone: { title: contactFieldTitles.phone, width: 2, least: 116 },
  salutation: { title: contactFieldTitles.salutation, width: 1.5 },
  first_name: { title: contactFieldTitles.first_name, width: 2 },
  last_name: { title: contactFieldTitles.last_name, width: 2 },
  language: { title: contactFieldTitles.language, width: 2 },
  preferred_channel: { title: contactFieldTitles.preferred_channel, width: 2 },
  timezone: { title: contactFieldTitles.timezone, width: 2 },
  tags: { title: contactFieldTitles.tags, width: 2 },
  values: { title: 'Values', width: 3 },
  note: { title: contactFieldTitles.note, width: 3 },
  created_at: { title: 'Added', width: 1.5 },
} as const;
type FieldColumn = keyof typeof known;
type ValueColumn = `value:${string}`;
export type ContactColumn = FieldColumn | ValueColumn;

export const fieldColumns = Object.keys(known).filter((name): name is FieldColumn => name in known);

/** The column of one of the contacts' own values. */
export const columnOfValue = (name: string): ValueColumn => `value:${name}`;
const isValue = (column: ContactColumn): column is ValueColumn => column.startsWith('value:');
/** The name of the value that the column shows; null where it shows a field. */
export const valueIn = (column: ContactColumn): string | null => (isValue(column) ? column.slice(6) : null);

export const titleOf = (column: ContactColumn): string => (isValue(column) ? column.slice(6) : known[column].title);

/** The address stands below the name, in no column of its own. */
export const widthOf = (column: ContactColumn): number => (isValue(column) ? 2 : known[column].width);

/** As CSS has it. */
export const trackOf = (column: ContactColumn): string => {
  const least = column === 'phone' ? known.phone.least : 0;
  return `minmax(${least}px, ${widthOf(column)}fr)`;
};

/** More would be too narrow to read. */
export const mostColumns = 8;

/** What is shown until the reader chooses; a column that is empty in the whole list is left out. */
export const usualColumns: readonly ContactColumn[] = ['email', 'phone', 'timezone', 'tags', 'values'];

/** The first order is that of the first press on the column's title. */
export const sortsOf: Partial<Record<ContactColumn, readonly [ContactSort, ContactSort]>> = {
  last_name: ['last_name', '-last_name'],
  language: ['language', '-language'],
  created_at: ['-created', 'created'],
};

const Kept = z.array(z.string().max(110)).max(mostColumns);

/** Columns that this browser keeps; null for what cannot be read, and what an older version kept and this one has not. */
function columnsIn(text: string | undefined): ContactColumn[] | null {
  try {
    const kept = Kept.safeParse(JSON.parse(text ?? 'null'));
    return kept.success ? inOrder(kept.data) : null;
  } catch {
    return null;
  }
}

/** Fields in their order, then values in that of their names. */
function inOrder(names: readonly string[]): ContactColumn[] {
  const values = names.filter((name) => name.startsWith('value:') && variableForm.test(name.slice(6)));
  return [
    ...fieldColumns.filter((name) => names.includes(name)),
    ...values.map((name) => columnOfValue(name.slice(6))).toSorted(),
  ];
}

/** The columns that the reader chose for this workspace, kept in this browser as cards or table of reminders are; null until then. */
export function useContactColumns() {
  const key = `cuebird.contact-columns.${useSession()?.user.id ?? ''}.${useWorkspaceId()}`;
  const [chosen, keep, forget] = useLocalStorage<ContactColumn[] | null>({
    key,
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: columnsIn,
  });
  return { chosen, choose: (columns: readonly ContactColumn[]) => keep(inOrder(columns)), showUsual: forget };
}
