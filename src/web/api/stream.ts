import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { z } from 'zod';
import { Change } from '#contract/realtime.ts';
import { createLiveRefresh } from '#web/api/live-refresh.ts';
import { sessionQuery, signOutKey } from '#web/api/session.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

/** The delay after an HTTP error, such as too many streams; each further error doubles it. */
const reopenMs = 5_000;
const longestReopenMs = 60_000;

/**
 * The messages from the tab that holds the stream to all tabs: a table changed, changes may have been missed, or the user has lost
 * access to the workspace.
 */
const News = z.union([Change, z.object({ missed: z.literal(true) }), z.object({ accessEnded: z.literal(true) })]);
type News = z.output<typeof News>;

/** Refetches the workspace's queries when the server's change stream reports changes. */
export function useWorkspaceStream(workspaceId: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const refresh = createLiveRefresh(queryClient, workspaceId);
    return followWorkspace(workspaceId, (news) => {
      if ('accessEnded' in news) void readAccess(queryClient);
      else if ('missed' in news) refresh.missed();
      else refresh.changed(news.table);
    });
  }, [queryClient, workspaceId]);
}

/**
 * One stream per browser and workspace: six open streams would exhaust a browser's HTTP/1.1 connections. The tab that
 * holds the lock listens and forwards changes to the others; when it closes, another tab takes the lock.
 */
function followWorkspace(workspaceId: string, onNews: (news: News) => void): () => void {
  const leave = new AbortController();
  const channel = new BroadcastChannel(`cuebird.stream.${workspaceId}`);
  const publish = (news: News) => {
    onNews(news);
    channel.postMessage(news);
  };
  channel.onmessage = ({ data }) => {
    const news = News.safeParse(data);
    if (news.success) onNews(news.data);
  };
  void keepStreamOpen(workspaceId, { publish, signal: leave.signal });
  return () => {
    leave.abort();
    channel.close();
  };
}

type Holder = { publish: (news: News) => void; signal: AbortSignal };

async function keepStreamOpen(workspaceId: string, holder: Holder): Promise<void> {
  const keepOpen = () => listen(workspaceId, holder);
  // The Web Locks API is missing on plain http except on localhost; each tab then opens its own stream.
  if (!navigator.locks) return keepOpen();
  try {
    await navigator.locks.request(`cuebird.stream.${workspaceId}`, { signal: holder.signal }, keepOpen);
  } catch (cause) {
    if (!holder.signal.aborted) console.error('The change stream stopped', cause);
  }
}

/**
 * Resolves when the tab unsubscribes. The server starts every connection with `resync`, which covers changes before it
 * and between connections. An EventSource reconnects by itself, except after an HTTP error.
 */
async function listen(workspaceId: string, { publish, signal }: Holder): Promise<void> {
  // The lock may be granted after the tab has unsubscribed.
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let nextReopenMs = reopenMs;
  let source = open();

  function open(): EventSource {
    const opened = new EventSource(`/api/stream?workspace=${encodeURIComponent(workspaceId)}`);
    opened.addEventListener('open', () => {
      nextReopenMs = reopenMs;
    });
    opened.addEventListener('resync', () => publish({ missed: true }));
    opened.addEventListener('access_ended', () => publish({ accessEnded: true }));
    opened.addEventListener('message', ({ data }) => {
      const change = changeOf(String(data));
      if (change) publish(change);
    });
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return;
      // Access may have ended while no stream was open.
      publish({ accessEnded: true });
      setTimeout(reopen, nextReopenMs);
      nextReopenMs = Math.min(2 * nextReopenMs, longestReopenMs);
    });
    return opened;
  }
  function reopen(): void {
    if (!signal.aborted) source = open();
  }
  signal.addEventListener('abort', () => {
    source.close();
    resolve();
  });
  return promise;
}

function changeOf(text: string): Change | undefined {
  try {
    return Change.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The session or the membership has ended: what is refetched tells which, and what to show next. */
async function readAccess(queryClient: QueryClient): Promise<void> {
  // While this tab signs out, the session still seems valid until the answer.
  if (queryClient.isMutating({ mutationKey: signOutKey }) > 0) return;
  try {
    const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (session) await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
  } catch (cause) {
    console.error('The session could not be read', cause);
  }
}
