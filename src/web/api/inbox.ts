import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type InboxMessage, inboxRoutes } from '#contract/inbox.ts';
import type { SimulatedFailure } from '#contract/simulated-failures.ts';
import { useWorkspaceChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf, useKey } from '#web/api/query-key.ts';

export type InboxFilter = { channel?: InboxMessage['channel']; search?: string };

type InboxPage = { data: InboxMessage[]; next_cursor: string | null };
const messagesOf = ({ pages }: InfiniteData<InboxPage>): InboxMessage[] => pages.flatMap(({ data }) => data);

/** The messages that the sandbox captured for the workspace, newest first, page by page. */
export const useInbox = (filter: InboxFilter) =>
  usePagedList({
    queryKey: useKey('inbox', 'list', filter),
    read: ({ cursor, signal }) => call(inboxRoutes.listInbox, { query: { ...filter, cursor }, signal }),
    watches: ['inbox'],
    keepsRows: true,
  });

/** One message. A message of a loaded list is shown at once; its provider report loads later. */
export function useInboxMessage(id: string) {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    initialData: () =>
      queryClient
        .getQueriesData<InfiniteData<InboxPage>>({ queryKey: keyOf(workspaceId, 'inbox', 'list') })
        .flatMap(([, list]) => (list ? messagesOf(list) : []))
        .find((message) => message.id === id),
    queryKey: keyOf(workspaceId, 'inbox', 'one', id),
    queryFn: ({ signal }) => call(inboxRoutes.getInboxMessage, { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { watches: ['inbox'] },
  });
}

/** The latest 200 replies to a message, oldest first. */
export const useInboxReplies = (id: string) =>
  useQuery({
    queryKey: useKey('inbox', 'replies', id),
    queryFn: async ({ signal }) => {
      const { data } = await call(inboxRoutes.listInbox, { query: { reply_to: id, limit: 200 }, signal });
      return data.toReversed();
    },
    meta: { watches: ['inbox'] },
  });

/** Replies to a message as its recipient; resolves after the reply is shown. */
export const useReplyToMessage = (id: string) =>
  useWorkspaceChange('inbox', (text: string) =>
    call(inboxRoutes.replyToInboxMessage, { params: { id }, body: { text } }),
  );

/** The simulated failures of the workspace. */
export const useSimulatedFailures = () =>
  useQuery({
    queryKey: useKey('simulated-failures'),
    queryFn: async ({ signal }) => (await call(inboxRoutes.listSimulatedFailures, { signal })).data,
    meta: { watches: ['simulated_failures'] },
  });

/** Sets the simulated failure of a channel; a failure of null ends it. */
export const useSetSimulatedFailure = () =>
  useWorkspaceChange('simulated-failures', (body: SimulatedFailure) => call(inboxRoutes.setSimulatedFailure, { body }));

/** The URL of a message's HTML part, for a sandboxed frame. */
export function useInboxHtmlUrl(id: string): string {
  const workspaceId = useWorkspaceId();
  return `/api/inbox/${encodeURIComponent(id)}/html?workspace=${encodeURIComponent(workspaceId)}`;
}

/** The sandbox's addresses for this workspace. */
export const useSandboxAddresses = () =>
  useQuery({
    queryKey: useKey('inbox', 'addresses'),
    queryFn: ({ signal }) => call(inboxRoutes.getSandboxAddresses, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Account mail (verification, reset) for the holder of the printed token; refetches every few seconds. */
export function useAccountInbox(token: string) {
  return usePagedList({
    queryKey: ['account-inbox', token],
    read: ({ cursor, signal }) => call(inboxRoutes.listAccountInbox, { query: { token, cursor }, signal }),
    refetchInterval: ({ state }) => (state.error ? false : 5_000),
  });
}
