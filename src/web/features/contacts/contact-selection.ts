import { useState } from 'react';
import type { Contact, ContactFilter } from '#contract/contacts.ts';

/** Chosen rows, or all contacts that match the filter, also those that are not loaded. */
export type ContactSelection =
  | { kind: 'rows'; contacts: readonly Contact[]; count: number }
  | { kind: 'matching'; filter: ContactFilter; count: number };

type Chosen = { kind: 'rows'; ids: ReadonlySet<string> } | { kind: 'matching'; filter: ContactFilter };

type Listed = {
  /** The loaded rows. */
  contacts: readonly Contact[];
  filter: ContactFilter;
  /** How many match; undefined until they are counted. */
  total: number | undefined;
};

const nothing: Chosen = { kind: 'rows', ids: new Set() };

/** The selection of the list. All that match are chosen until the filter changes. */
export function useContactSelection({ contacts, filter, total }: Listed) {
  const [chosen, setChosen] = useState<Chosen>(nothing);
  const now = chosen.kind === 'matching' && !isSame(chosen.filter, filter) ? nothing : chosen;
  const isChosen = (id: string) => now.kind === 'matching' || now.ids.has(id);
  const rows = contacts.filter(({ id }) => isChosen(id));
  const selection: ContactSelection =
    now.kind === 'matching'
      ? { kind: 'matching', filter, count: total ?? rows.length }
      : { kind: 'rows', contacts: rows, count: rows.length };
  const chooseRows = (ids: Iterable<string>) => setChosen({ kind: 'rows', ids: new Set(ids) });
  const chosenIds = rows.map(({ id }) => id);
  const hasAll = rows.length === contacts.length;
  return {
    selection,
    isChosen,
    hasAll,
    /** Whether more match than are chosen. */
    mayChooseAll: now.kind === 'rows' && hasAll && total !== undefined && total > contacts.length,
    toggle: (id: string) => chooseRows(new Set(chosenIds).symmetricDifference(new Set([id]))),
    toggleAll: () => {
      if (hasAll) return setChosen(nothing);
      // Whoever chooses all of a tag or a group means the tag or the group.
      if (isNamed(filter) && total === contacts.length) return setChosen({ kind: 'matching', filter });
      chooseRows(contacts.map(({ id }) => id));
    },
    chooseAll: () => setChosen({ kind: 'matching', filter }),
    leaveOut: (ids: readonly string[]) => chooseRows(new Set(chosenIds).difference(new Set(ids))),
    clear: () => setChosen(nothing),
  };
}

/** Whether a tag or a group alone says who matches. */
export const isNamed = ({ search, tag, group }: ContactFilter): boolean =>
  !search && (tag === undefined) !== (group === undefined);

const isSame = (one: ContactFilter, other: ContactFilter) =>
  one.search === other.search && one.tag === other.tag && one.group === other.group;
