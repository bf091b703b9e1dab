import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { type Audience, isAudience } from '#contract/audience.ts';
import { contactGroupRoutes, type GroupInput, type GroupRule } from '#contract/contact-groups.ts';
import { contactRoutes } from '#contract/contacts.ts';
import { useWorkspaceChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { useKey } from '#web/api/query-key.ts';

/** The groups of contacts, by name. */
export const useContactGroups = ({ isAsked = true }: { isAsked?: boolean } = {}) =>
  useQuery({
    queryKey: useKey('contact-groups', 'list'),
    queryFn: async ({ signal }) => (await call(contactGroupRoutes.listContactGroups, { signal })).data,
    enabled: isAsked,
    meta: { watches: ['contact_groups'] },
  });

/** How many people each group has, and how many reminders are sent to it, by its id. */
export const useGroupCounts = () =>
  useQuery({
    queryKey: useKey('contact-groups', 'counts'),
    queryFn: async ({ signal }) => (await call(contactGroupRoutes.countContactGroups, { signal })).data,
    select: byId,
    meta: { watches: ['contacts', 'contact_groups'] },
  });

const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

/** The reminders that are sent to a group, the first of them, and how many there are. */
export const useGroupUses = (id: string) =>
  useQuery({
    queryKey: useKey('contact-groups', 'uses', id),
    queryFn: ({ signal }) => call(contactGroupRoutes.listGroupUses, { params: { id }, signal }),
    staleTime: 0,
  });

/** The number of people who meet a rule now, and the first of them. Null sends no request. */
export const usePeopleByRule = (rule: GroupRule | null) =>
  useQuery({
    queryKey: useKey('contact-groups', 'rule', rule),
    queryFn:
      rule === null ? skipToken : ({ signal }) => call(contactGroupRoutes.countPeople, { body: { rule }, signal }),
    placeholderData: keepPreviousData,
    meta: { watches: ['contacts'] },
  });

/** Adds a group, or replaces the one with the given id; resolves after the list is refetched. */
export const useSaveGroup = (id?: string) =>
  useWorkspaceChange('contact-groups', (body: z.input<typeof GroupInput>) =>
    id === undefined
      ? call(contactGroupRoutes.createContactGroup, { body })
      : call(contactGroupRoutes.updateContactGroup, { params: { id }, body }),
  );

/** Deletes a group; resolves after the list is refetched. */
export const useDeleteGroup = () =>
  useWorkspaceChange('contact-groups', (id: string) => call(contactGroupRoutes.deleteContactGroup, { params: { id } }));

/** The tags of the contacts with their number, by name. */
export const useContactTags = () =>
  useQuery({
    queryKey: useKey('contacts', 'tags'),
    queryFn: async ({ signal }) => (await call(contactRoutes.listContactTags, { signal })).data,
    meta: { watches: ['contacts'] },
  });

/** How many people an audience has now, with the names of its picked contacts. Sends no request for an empty one. */
export const useAudience = (audience: Audience | undefined) =>
  useQuery({
    queryKey: useKey('contact-groups', 'people', audience),
    queryFn: isAudience(audience)
      ? ({ signal }) => call(contactGroupRoutes.countPeople, { body: { audience }, signal })
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { watches: ['contacts', 'contact_groups'] },
  });
