import { keepPreviousData, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { contactDetailsRoutes } from '#contract/contact-details.ts';
import { contactImportRoutes } from '#contract/contact-imports.ts';
import type { ContactSort } from '#contract/contact-sorts.ts';
import {
  type Contact,
  type ContactFilter,
  type ContactInput,
  contactLimits,
  contactRoutes,
} from '#contract/contacts.ts';
import { writtenFieldsOf } from '#domain/contact-fields.ts';
import { useWorkspaceChange } from '#web/api/change.ts';
import { allOf, call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { useKey } from '#web/api/query-key.ts';

const pageSize = 100;
const offered = 8;

/** The contacts, by name unless sorted otherwise; `data` is one flat list of the pages loaded so far. */
export const useContacts = (filter: ContactFilter & { sort?: ContactSort | undefined }) =>
  usePagedList({
    queryKey: useKey('contacts', 'list', filter),
    read: ({ cursor, signal }) =>
      call(contactRoutes.listContacts, { query: { ...filter, limit: pageSize, cursor }, signal }),
    // A group's rule decides who is in it.
    watches: ['contacts', 'contact_groups'],
    keepsRows: true,
  });

/** How many contacts match; a question that is not asked sends no request. */
export const useContactCount = (filter: ContactFilter, { isAsked = true }: { isAsked?: boolean } = {}) =>
  useQuery({
    enabled: isAsked,
    queryKey: useKey('contacts', 'count', filter),
    queryFn: async ({ signal }) => (await call(contactRoutes.countContacts, { query: filter, signal })).contacts,
    placeholderData: keepPreviousData,
    meta: { watches: ['contacts', 'contact_groups'] },
  });

const largestPage = 200;

/** Fetches the ids of all contacts that match. */
export async function idsMatching(filter: ContactFilter): Promise<string[]> {
  const all = await allOf((cursor) =>
    call(contactRoutes.listContacts, { query: { ...filter, limit: largestPage, cursor } }),
  );
  return all.map(({ id }) => id);
}

/** The first few contacts that match the typed text; null sends no request. */
export const useContactsLike = (search: string | null) =>
  useQuery({
    queryKey: useKey('contacts', 'like', search),
    queryFn:
      search === null
        ? skipToken
        : async ({ signal }) =>
            (await call(contactRoutes.listContacts, { query: { search, limit: offered }, signal })).data,
    placeholderData: keepPreviousData,
    meta: { watches: ['contacts'] },
  });

/** The names of the contacts' own values. */
export const useContactVariables = () =>
  useQuery({
    queryKey: useKey('contacts', 'variables'),
    queryFn: async ({ signal }) => (await call(contactRoutes.listContactVariables, { signal })).data,
    placeholderData: keepPreviousData,
    meta: { watches: ['contacts'] },
  });

/** Loads one contact as it is now, to edit it. */
export const useLoadContact = () =>
  useMutation({ mutationFn: (id: string) => call(contactDetailsRoutes.getContact, { params: { id } }) });

export type ContactBody = z.input<typeof ContactInput>;

/** Adds a contact, or replaces the one with the given id; resolves after the list is refetched. */
export const useSaveContact = (id?: string) =>
  useWorkspaceChange('contacts', (body: ContactBody) =>
    id === undefined
      ? call(contactRoutes.createContact, { body })
      : call(contactRoutes.updateContact, { params: { id }, body }),
  );

/** Deletes contacts; resolves after the list is refetched. */
export const useDeleteContacts = () =>
  useWorkspaceChange(
    'contacts',
    async (contacts: readonly Contact[]) => {
      for (const part of partsOf(contacts))
        await call(contactRoutes.deleteContacts, { body: { ids: part.map(({ id }) => id) } });
    },
    { alsoAfterFailure: true },
  );

/** How many contacts match, asked now. */
export const countMatching = async (filter: ContactFilter): Promise<number> =>
  (await call(contactRoutes.countContacts, { query: filter })).contacts;

export type MatchingContacts = {
  filter: ContactFilter;
  /** How many the person saw; the server changes nothing when they are more or fewer by now. */
  expected: number;
};

/** Deletes all contacts that match, and returns their number. */
export const useDeleteMatching = () =>
  useWorkspaceChange(
    'contacts',
    async ({ filter, expected }: MatchingContacts) =>
      (await call(contactRoutes.deleteContacts, { body: { matching: filter, expected } })).deleted,
    { alsoAfterFailure: true },
  );

const isList = (of: readonly string[] | MatchingContacts): of is readonly string[] => Array.isArray(of);

type TagChange = { add?: readonly string[]; remove?: readonly string[] };

/** Adds tags to contacts, by their ids or all that match, and removes others. Returns the ids of those that it changed. */
export const useTagContacts = () =>
  useWorkspaceChange(
    'contacts',
    async ({ of, add = [], remove = [] }: TagChange & { of: readonly string[] | MatchingContacts }) => {
      const parts = isList(of) ? partsOf(of).map((ids) => ({ ids })) : [{ matching: of.filter, expected: of.expected }];
      const changed = { ids: new Array<string>(), full: 0 };
      for (const contacts of parts) {
        const body = { contacts, add: [...add], remove: [...remove] };
        const { ids, full } = await call(contactRoutes.tagContacts, { body });
        changed.ids.push(...ids);
        changed.full += full;
      }
      return changed;
    },
    { alsoAfterFailure: true },
  );

/** Restores deleted contacts. */
export const useRestoreContacts = () =>
  useWorkspaceChange(
    'contacts',
    async (contacts: readonly Contact[]) => {
      for (const part of partsOf(contacts))
        assertAll(await call(contactImportRoutes.saveContacts, { body: { contacts: part.map(writtenFieldsOf) } }));
    },
    { alsoAfterFailure: true },
  );

/** Imports contacts, or previews the import; only an import writes. */
export function useImportContacts() {
  const queryClient = useQueryClient();
  const queryKey = useKey('contacts');
  return useMutation({
    mutationFn: (body: z.input<typeof contactImportRoutes.importContacts.body>) =>
      call(contactImportRoutes.importContacts, { body }),
    onSuccess: (_, { mode }) => (mode === 'import' ? queryClient.invalidateQueries({ queryKey }) : undefined),
  });
}

const progressEveryMs = 500;

/** The latest imports of the workspace; while one goes on and somebody watches, they are fetched again and again. */
export const useImports = ({ isWatched = false }: { isWatched?: boolean } = {}) =>
  useQuery({
    queryKey: useKey('contacts', 'imports'),
    queryFn: ({ signal }) => call(contactImportRoutes.listImports, { signal }),
    refetchInterval: ({ state }) =>
      isWatched && (state.data?.data.some(({ status }) => status === 'running') ?? false) && progressEveryMs,
    meta: { watches: ['contacts'] },
  });

/** What undoing an import would do, asked each time anew; `importId` is null while nobody asks. */
export const useUndoPreview = (importId: string | null) =>
  useQuery({
    queryKey: useKey('contacts', 'undo', importId),
    queryFn:
      importId === null
        ? skipToken
        : ({ signal }) => call(contactImportRoutes.previewUndo, { params: { id: importId }, signal }),
    staleTime: 0,
    gcTime: 0,
    meta: { watches: ['contacts', 'reminders', 'jobs'] },
  });

/** Undoes an import; resolves after the list is refetched. */
export const useUndoImport = () =>
  useWorkspaceChange('contacts', (id: string) => call(contactImportRoutes.undoImport, { params: { id } }), {
    alsoAfterFailure: true,
  });

export const exportUrl = (workspaceId: string) =>
  `${contactRoutes.exportContacts.path}?workspace=${encodeURIComponent(workspaceId)}`;

/** Throws when a contact was not saved: another contact may have taken its address. */
function assertAll({ rows }: z.output<typeof contactImportRoutes.saveContacts.answer>): void {
  const lost = rows.find(({ result }) => result === 'failed');
  if (lost !== undefined) throw new Error(`${lost.name ?? lost.email ?? lost.phone}: ${lost.problems[0]?.message}`);
}

function partsOf<Item>(contacts: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < contacts.length; at += contactLimits.batch)
    parts.push(contacts.slice(at, at + contactLimits.batch));
  return parts;
}
