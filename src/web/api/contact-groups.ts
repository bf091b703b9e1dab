import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { type Audience, isAudience } from '#contract/audience.ts';
import { contactGroupRoutes } from '#contract/contact-groups.ts';
import { contactRoutes } from '#contract/contacts.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { keyOf } from '#web/api/query-key.ts';

/** The groups of contacts, by name. */
export function useContactGroups({ isAsked = true }: { isAsked?: boolean } = {}) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'contact-groups', 'list'),
    queryFn: async ({ signal }) => (await call(contactGroupRoutes.listContactGroups, { signal })).data,
    enabled: isAsked,
    meta: { watches: ['contact_groups'] },
  });
}

/** The tags of the contacts with their number, by name. */
export function useContactTags() {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'contacts', 'tags'),
    queryFn: async ({ signal }) => (await call(contactRoutes.listContactTags, { signal })).data,
    meta: { watches: ['contacts'] },
  });
}

/** How many people an audience has now, with the names of its picked contacts. Sends no request for an empty one. */
export function useAudience(audience: Audience | undefined) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'contact-groups', 'people', audience),
    queryFn: isAudience(audience)
      ? ({ signal }) => call(contactGroupRoutes.countPeople, { body: { audience }, signal })
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { watches: ['contacts', 'contact_groups'] },
  });
}
