import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type InboxMessage, inboxRoutes } from '#contract/inbox.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';

export type InboxFilter = { channel?: InboxMessage['channel']; search?: string };

type InboxPage = { data: InboxMessage[]; next_cursor: string | null };
const messagesOf = ({ pages }: InfiniteData<InboxPage>): InboxMessage[] => pages.flatMap(({ data }) => data);
// An empty cursor is not sent: it asks for the first page.
const paging = { initialPageParam: '', getNextPageParam: ({ next_cursor }: InboxPage) => next_cursor };

/** What the sandbox received for the workspace, newest first, page by page. */
export function useInbox(filter: InboxFilter) {
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    ...paging,
    queryKey: [workspaceId, 'inbox', 'list', filter],
    queryFn: ({ pageParam: cursor, signal }) => call(inboxRoutes.listInbox, { query: { ...filter, cursor }, signal }),
    select: messagesOf,
    placeholderData: (shown) => shown,
    meta: { watches: ['inbox'] },
  });
}

/** One message; it never changes, so that one of a loaded list is shown at once. */
export function useInboxMessage(id: string) {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    initialData: () =>
      queryClient
        .getQueriesData<InfiniteData<InboxPage>>({ queryKey: [workspaceId, 'inbox', 'list'] })
        .flatMap(([, list]) => (list ? messagesOf(list) : []))
        .find((message) => message.id === id),
    queryKey: [workspaceId, 'inbox', 'one', id],
    queryFn: ({ signal }) => call(inboxRoutes.getInboxMessage, { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Where a message's HTML part is served, for a sandboxed frame. */
export function useInboxHtmlUrl(id: string): string {
  const workspaceId = useWorkspaceId();
  return `/api/inbox/${encodeURIComponent(id)}/html?workspace=${encodeURIComponent(workspaceId)}`;
}

/** Where the sandbox listens for this workspace. */
export function useSandboxAddresses() {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'inbox', 'addresses'],
    queryFn: ({ signal }) => call(inboxRoutes.getSandboxAddresses, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Account mail (verification, reset), for whoever holds the token that the terminal printed; asks again every few seconds. */
export function useAccountInbox(token: string) {
  return useInfiniteQuery({
    ...paging,
    queryKey: ['account-inbox', token],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(inboxRoutes.listAccountInbox, { query: { token, cursor }, signal }),
    select: messagesOf,
    refetchInterval: ({ state }) => (state.error ? false : 5_000),
  });
}
