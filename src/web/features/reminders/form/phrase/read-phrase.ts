import type { QueryClient } from '@tanstack/react-query';
import { keyOf } from '#web/api/query-key.ts';
import { contactGroupRoutes } from '#contract/contact-groups.ts';
import { contactRoutes } from '#contract/contacts.ts';
import type { Groups, Person, Understood } from '#domain/phrase.ts';
import { call } from '#web/api/client.ts';
import { sessionQuery } from '#web/api/session.ts';

/** `areContactsKnown` is false when contacts, groups or tags could not be fetched: names then stay unresolved. */
export type Reading = { understood: Understood; areContactsKnown: boolean };

// At most this many contacts are fetched per name.
const namesakes = 100;

/** Loads the parser on first use, with a Temporal polyfill where the browser needs one. */
export async function loadPhrases() {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  return import('#domain/phrase.ts');
}

/** Parses a line, with the contacts that it names and the user's own address for `me`. */
export async function readPhrase(
  text: string,
  { zone, workspaceId, queryClient }: { zone: string; workspaceId: string; queryClient: QueryClient },
): Promise<Reading> {
  const { understand, searchWords } = await loadPhrases();
  const options = { now: Temporal.Now.instant(), timezone: zone };
  const first = understand(text, options);
  const names = first.parts.flatMap((part) => (part.kind === 'audience' ? [searchWords(part.audience)] : []));
  if (names.length === 0) return { understood: first, areContactsKnown: true };

  const asked = [...new Set(names)].filter((name) => name !== '');
  const [groups, ...found] = await Promise.allSettled([
    groupsAndTags({ workspaceId, queryClient }),
    ownAddress(queryClient),
    ...asked.map((search) => contactsNamed(search, { workspaceId, queryClient })),
  ]);
  const people = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return {
    understood: understand(text, {
      ...options,
      people,
      groups: groups.status === 'fulfilled' ? groups.value : undefined,
    }),
    areContactsKnown: [groups, ...found].every(({ status }) => status === 'fulfilled'),
  };
}

async function ownAddress(queryClient: QueryClient): Promise<Person[]> {
  const session = await queryClient.fetchQuery(sessionQuery);
  return session === null ? [] : [{ name: 'me', email: session.user.email, phone: null }];
}

async function groupsAndTags({
  workspaceId,
  queryClient,
}: {
  workspaceId: string;
  queryClient: QueryClient;
}): Promise<Groups> {
  const fresh = { staleTime: 10_000, retry: false };
  const [groups, tags] = await Promise.all([
    queryClient.fetchQuery({
      ...fresh,
      queryKey: keyOf(workspaceId, 'contact-groups', 'list'),
      queryFn: async ({ signal }) => (await call(contactGroupRoutes.listContactGroups, { signal })).data,
      meta: { watches: ['contact_groups'] },
    }),
    queryClient.fetchQuery({
      ...fresh,
      queryKey: keyOf(workspaceId, 'contacts', 'tags'),
      queryFn: async ({ signal }) => (await call(contactRoutes.listContactTags, { signal })).data,
      meta: { watches: ['contacts'] },
    }),
  ]);
  return { groups, tags: tags.map(({ tag }) => tag) };
}

function contactsNamed(
  search: string,
  { workspaceId, queryClient }: { workspaceId: string; queryClient: QueryClient },
): Promise<Person[]> {
  return queryClient.fetchQuery({
    queryKey: keyOf(workspaceId, 'contacts', 'named', search),
    queryFn: async ({ signal }) => {
      const { data } = await call(contactRoutes.listContacts, { query: { search, limit: namesakes }, signal });
      return data.flatMap(({ name, email, phone }) => (name === null ? [] : [{ name, email, phone }]));
    },
    staleTime: 10_000,
    retry: false,
    meta: { watches: ['contacts'] },
  });
}
