import { useQuery } from '@tanstack/react-query';
import { contactDetailsRoutes } from '#contract/contact-details.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { useKey } from '#web/api/query-key.ts';

/** A contact with its groups and suppressions. */
export const useContact = (id: string) =>
  useQuery({
    queryKey: useKey('contacts', 'one', id),
    queryFn: ({ signal }) => call(contactDetailsRoutes.getContact, { params: { id }, signal }),
    meta: { watches: ['contacts', 'contact_groups', 'suppressions'] },
  });

/** What a contact was sent, newest first, page by page. */
export const useContactDeliveries = (id: string, { channel }: { channel?: ChannelType }) =>
  usePagedList({
    queryKey: useKey('deliveries', 'of-contact', { id, channel }),
    read: ({ cursor, signal }) =>
      call(contactDetailsRoutes.listContactDeliveries, {
        params: { id },
        query: { channel, limit: 25, cursor },
        signal,
      }),
    watches: ['deliveries', 'contacts'],
    keepsRows: true,
  });

/** The active reminders that are sent to a contact, soonest first. */
export const useUpcomingOfContact = (id: string) =>
  useQuery({
    queryKey: useKey('reminders', 'of-contact', id),
    queryFn: ({ signal }) => call(contactDetailsRoutes.listUpcomingOfContact, { params: { id }, signal }),
    meta: { watches: ['reminders', 'contacts', 'contact_groups', 'suppressions'] },
  });
