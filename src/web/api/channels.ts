import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { z } from 'zod';
import { type ChannelInput, type ChannelTestBody, channelRoutes } from '#contract/channels.ts';
import { useWorkspaceChange } from '#web/api/change.ts';
import { allOf, call, callOnce, withReauthentication } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { keyOf, useKey } from '#web/api/query-key.ts';
import { randomKey } from '#web/api/random-key.ts';

/** All channels of the workspace, most recently changed first. */
export const useChannels = () =>
  useQuery({
    queryKey: useKey('channels'),
    queryFn: ({ signal }) => allOf((cursor) => call(channelRoutes.listChannels, { query: { cursor }, signal })),
    meta: { watches: ['channels'] },
  });

/** The form fields of each channel type. They do not change while the page is open. */
export const useChannelTypes = () =>
  useQuery({
    queryKey: useKey('channel-types'),
    queryFn: async ({ signal }) => (await call(channelRoutes.listChannelTypes, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

export type ChannelBody = z.input<typeof ChannelInput>;
export type ChannelChanges = Partial<ChannelBody>;
export type SaveOf = { kind: 'create'; body: ChannelBody } | { kind: 'update'; id: string; changes: ChannelChanges };

const saveTimeoutMs = 15_000;

/**
 * Creates or updates a channel; resolves after the list is refetched.
 * @throws Error after 15 seconds without a response; ApiError
 */
export function useSaveChannel() {
  const refresh = useRefresh();
  const keyFor = useKeyOfBody();
  return useMutation({
    mutationFn: (save: SaveOf) =>
      // The time for proving who one is does not count.
      withReauthentication(() =>
        inTime((signal) => {
          if (save.kind === 'update')
            return callOnce(channelRoutes.updateChannel, { params: { id: save.id }, body: save.changes, signal });
          return callOnce(channelRoutes.createChannel, { body: save.body, signal, idempotencyKey: keyFor(save.body) });
        }),
      ),
    onSuccess: refresh,
    // A request that timed out here may still have succeeded on the server.
    onError: () => void refresh(),
  });
}

/** Enables or disables a channel; resolves after the list is refetched. */
export const useSetChannelActive = () =>
  useWorkspaceChange('channels', ({ id, is_active }: { id: string; is_active: boolean }) =>
    call(channelRoutes.updateChannel, { params: { id }, body: { is_active } }),
  );

/** Deletes a channel; resolves after the list is refetched. */
export const useDeleteChannel = () =>
  useWorkspaceChange('channels', (id: string) => call(channelRoutes.deleteChannel, { params: { id } }));

/** Sends a real test message and returns the provider's response. */
export const useTestChannel = () =>
  useWorkspaceChange('channels', ({ id, ...body }: { id: string } & z.input<typeof ChannelTestBody>) =>
    call(channelRoutes.testChannel, { params: { id }, body }),
  );

/** Asks the WAHA server of a channel whether its session works. */
export const useVerifyWaha = () =>
  useMutation({ mutationFn: (id: string) => call(channelRoutes.verifyWahaChannel, { params: { id } }) });

async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), saveTimeoutMs);
  try {
    return await work(giveUp.signal);
  } catch (error) {
    throw giveUp.signal.aborted ? new Error('Operation timed out after 15 seconds') : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the same idempotency key for the same body, so that a retry after a timeout does not save twice. */
function useKeyOfBody(): (body: ChannelBody) => string {
  const last = useRef({ body: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: randomKey() };
    return last.current.key;
  };
}

/** Refetches the channels now, without waiting for the change stream. */
function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return () => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'channels') });
}
