import { useQuery } from '@tanstack/react-query';
import { contactDetailsRoutes } from '#contract/contact-details.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf } from '#web/api/query-key.ts';

/** A contact with its groups and suppressions. */
export function useContact(id: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'contacts', 'one', id),
    queryFn: ({ signal }) => call(contactDetailsRoutes.getContact, { params: { id }, signal }),
    meta: { watches: ['contacts', 'contact_groups', 'suppressions'] },
  });
}

/** What a contact was sent, newest first, page by page. */
export function useContactDeliveries(id: string, { channel }: { channel?: ChannelType }) {
  const workspaceId = useWorkspaceId();
  return usePagedList({
    queryKey: keyOf(workspaceId, 'deliveries', 'of-contact', { id, channel }),
    read: ({ cursor, signal }) =>
      call(contactDetailsRoutes.listContactDeliveries, {
        params: { id },
        query: { channel, limit: 25, cursor },
        signal,
      }),
    watches: ['deliveries', 'contacts'],
    keepsRows: true,
  });
}

/** The active reminders that are sent to a contact, soonest first. */
export function useUpcomingOfContact(id: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'reminders', 'of-contact', id),
    queryFn: ({ signal }) => call(contactDetailsRoutes.listUpcomingOfContact, { params: { id }, signal }),
    meta: { watches: ['reminders', 'contacts', 'contact_groups', 'suppressions'] },
  });
}
