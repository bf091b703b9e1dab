import type { QueryClient } from '@tanstack/react-query';
import { keyOf } from '#web/api/query-key.ts';
import { contactRoutes } from '#contract/contacts.ts';
import type { Person, Understood } from '#domain/phrase.ts';
import { call } from '#web/api/client.ts';
import { sessionQuery } from '#web/api/session.ts';

/** `areContactsKnown` is false when the contacts could not be fetched: names then stay unresolved. */
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
  const found = await Promise.allSettled([
    ownAddress(queryClient),
    ...asked.map((search) => contactsNamed(search, { workspaceId, queryClient })),
  ]);
  const people = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return {
    understood: understand(text, { ...options, people }),
    areContactsKnown: found.every(({ status }) => status === 'fulfilled'),
  };
}

async function ownAddress(queryClient: QueryClient): Promise<Person[]> {
  const session = await queryClient.fetchQuery(sessionQuery);
  return session === null ? [] : [{ name: 'me', email: session.user.email, phone: null }];
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
