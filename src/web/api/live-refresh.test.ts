import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLiveRefresh, type LiveRefresh } from './live-refresh.ts';
import { createQueryClient } from './query-client.ts';
import { keyOf } from './query-key.ts';

const workspace = '5f0f7d2e-0f2f-4b55-9c3c-0d7b3f1f7c11';

describe('a query that is on the screen while changes are reported', () => {
  let queryClient: QueryClient;
  let refresh: LiveRefresh;
  let fetches: PromiseWithResolvers<string>[];
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('document', { hidden: false });
    fetches = [];
    queryClient = createQueryClient({ onSignedOut: () => {} });
    refresh = createLiveRefresh(queryClient, workspace);
    stop = show();
  });
  afterEach(() => {
    stop();
    queryClient.clear();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  function show(): () => void {
    const observer = new QueryObserver(queryClient, {
      queryKey: keyOf(workspace, 'deliveries'),
      queryFn: () => {
        const fetch = Promise.withResolvers<string>();
        fetches.push(fetch);
        return fetch.promise;
      },
      meta: { watches: ['jobs', 'deliveries'] },
    });
    return observer.subscribe(() => {});
  }

  const shown = () => queryClient.getQueryData(keyOf(workspace, 'deliveries'));
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  async function answer(text: string): Promise<void> {
    fetches.at(-1)?.resolve(text);
    await pass(0);
  }

  it('is fetched again after its first answer, which may have been read before the change', async () => {
    expect(fetches).toHaveLength(1);
    refresh.changed('deliveries');
    await pass(1_000);
    expect(fetches).toHaveLength(1);
    await answer('sending');
    expect(shown()).toBe('sending');
    expect(fetches).toHaveLength(2);
    await answer('accepted');
    expect(shown()).toBe('accepted');
  });

  it('shows each answer where changes come faster than answers', async () => {
    await answer('0 sent');
    for (let sent = 1; sent <= 5; sent += 1) {
      for (let changes = 0; changes < 10; changes += 1) {
        refresh.changed('deliveries');
        await pass(301);
      }
      await answer(`${sent} sent`);
      expect(shown()).toBe(`${sent} sent`);
    }
    expect(fetches).toHaveLength(7);
  });

  it('is fetched once for a burst, and not for what it does not watch', async () => {
    await answer('sent');
    for (let changes = 0; changes < 1_000; changes += 1) refresh.changed(changes % 2 === 0 ? 'jobs' : 'deliveries');
    await pass(301);
    await answer('sent');
    refresh.changed('templates');
    await pass(301);
    expect(fetches).toHaveLength(2);
  });

  it('is fetched whatever it watches when changes were missed', async () => {
    await answer('sent');
    refresh.missed();
    await pass(301);
    expect(fetches).toHaveLength(2);
  });

  it('is only marked as stale in a tab that nobody sees', async () => {
    await answer('sent');
    vi.stubGlobal('document', { hidden: true });
    refresh.changed('jobs');
    await pass(301);
    expect(fetches).toHaveLength(1);
    expect(queryClient.getQueryState(keyOf(workspace, 'deliveries'))?.isInvalidated).toBe(true);
  });
});
