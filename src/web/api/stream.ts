import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { z } from 'zod';
import { Change } from '#contract/realtime.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

const throttleMs = 300;
const reopenMs = 5_000;

/** What the tab that holds the stream tells all tabs: a table changed, or changes may have been missed. */
const News = z.union([Change, z.object({ missed: z.literal(true) })]);
type News = z.output<typeof News>;

/** Keeps everything that is shown of the workspace as fresh as the server's change stream. */
export function useWorkspaceStream(workspaceId: string): void {
  const queryClient = useQueryClient();
  useEffect(() => followWorkspace(workspaceId, refresher(queryClient, workspaceId)), [queryClient, workspaceId]);
}

/**
 * One stream per browser and workspace: six open ones would exhaust a browser's HTTP/1.1 connections. The tab that gets
 * the lock listens and tells the others; when it closes, the next one takes over.
 */
function followWorkspace(workspaceId: string, onNews: (news: News) => void): () => void {
  const leave = new AbortController();
  const channel = new BroadcastChannel(`cuebird.stream.${workspaceId}`);
  const tell = (news: News) => {
    onNews(news);
    channel.postMessage(news);
  };
  channel.onmessage = ({ data }) => {
    const news = News.safeParse(data);
    if (news.success) onNews(news.data);
  };
  void holdStream(workspaceId, { tell, signal: leave.signal });
  return () => {
    leave.abort();
    channel.close();
  };
}

type Holder = { tell: (news: News) => void; signal: AbortSignal };

async function holdStream(workspaceId: string, holder: Holder): Promise<void> {
  const hold = () => listen(workspaceId, holder);
  // Plain http on another host than localhost has no locks; each tab then holds its own stream.
  if (!navigator.locks) return hold();
  try {
    await navigator.locks.request(`cuebird.stream.${workspaceId}`, { signal: holder.signal }, hold);
  } catch (cause) {
    if (!holder.signal.aborted) console.error('The change stream stopped', cause);
  }
}

/**
 * Resolves when the tab leaves. The server begins every connection with `resync`, which covers what changed before it
 * and between two of them. An EventSource reconnects by itself, except after an HTTP error.
 */
async function listen(workspaceId: string, { tell, signal }: Holder): Promise<void> {
  // The lock may have come after the tab had left.
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let source = open();

  function open(): EventSource {
    const opened = new EventSource(`/api/stream?workspace=${encodeURIComponent(workspaceId)}`);
    opened.addEventListener('resync', () => tell({ missed: true }));
    opened.addEventListener('message', ({ data }) => {
      const change = changeOf(String(data));
      if (change) tell(change);
    });
    opened.addEventListener('error', () => {
      if (opened.readyState === EventSource.CLOSED) setTimeout(reopen, reopenMs);
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

const manyPages = 10;

/** Fetching a further page, which to refetch would call off; or a list so long that it would never be done. */
const isPaging = ({ state }: Query) =>
  state.fetchStatus === 'fetching' && (state.fetchMeta?.fetchMore !== undefined || pagesIn(state.data) > manyPages);

const pagesIn = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages) ? data.pages.length : 0;

/** Gathers news for a moment and then refetches what watches the changed tables: a burst costs one request per query. */
function refresher(queryClient: QueryClient, workspaceId: string): (news: News) => void {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasMissed = false;

  function refresh(): void {
    // To refetch a list would call off its next page, which somebody has asked for.
    if (queryClient.getQueryCache().getAll().some(isPaging)) {
      timer = setTimeout(refresh, throttleMs);
      return;
    }
    timer = undefined;
    // A tab in the background only marks what is stale: it refetches when it is looked at again.
    const refetchType = document.hidden ? 'none' : 'active';
    void queryClient.invalidateQueries({
      refetchType,
      predicate: ({ queryKey, meta }) =>
        queryKey[0] === workspaceId && (hasMissed || (meta?.watches ?? []).some((table) => changed.has(table))),
    });
    if (hasMissed || changed.has('workspaces'))
      void queryClient.invalidateQueries({ refetchType, queryKey: workspacesQuery.queryKey });
    changed.clear();
    hasMissed = false;
  }
  return (news) => {
    if ('missed' in news) hasMissed = true;
    else changed.add(news.table);
    timer ??= setTimeout(refresh, throttleMs);
  };
}
