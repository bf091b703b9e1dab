import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type InboxMessage, inboxRoutes } from '#contract/inbox.ts';
import type { Rehearsal } from '#contract/rehearsals.ts';
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

/** One message; one of a loaded list is shown at once, and what its provider reports comes later. */
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
    meta: { watches: ['inbox'] },
  });
}

/** What was answered to a message, the oldest first; the latest 200. */
export function useInboxReplies(id: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'inbox', 'replies', id],
    queryFn: async ({ signal }) => {
      const { data } = await call(inboxRoutes.listInbox, { query: { reply_to: id, limit: 200 }, signal });
      return data.toReversed();
    },
    meta: { watches: ['inbox'] },
  });
}

/** Answers a message as its recipient; done once the answer is shown. */
export function useReplyToMessage(id: string) {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: (text: string) => call(inboxRoutes.replyToInboxMessage, { params: { id }, body: { text } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [workspaceId, 'inbox'] }),
  });
}

/** The failures that the sandbox rehearses for the workspace. */
export function useRehearsals() {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'rehearsals'],
    queryFn: async ({ signal }) => (await call(inboxRoutes.listRehearsals, { signal })).data,
    meta: { watches: ['rehearsals'] },
  });
}

/** Lets the sandbox fail for a channel, or with a failure of null behave again. */
export function useSetRehearsal() {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: (body: Rehearsal) => call(inboxRoutes.setRehearsal, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [workspaceId, 'rehearsals'] }),
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
