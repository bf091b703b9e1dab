import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { Change } from '#contract/realtime.ts';
import { ApiError } from '#web/api/client.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The tables whose changes make this query stale. Its key then begins with the workspace's id. */
      watches?: readonly Change['table'][];
    };
  }
}

/** The cache of all server data. `onSignedOut` is called when a response shows that the session has ended. */
export function createQueryClient({ onSignedOut }: { onSignedOut: () => void }): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { staleTime: 10_000, retry: mayHelpToRetry } },
  });
}

function mayHelpToRetry(failures: number, error: unknown): boolean {
  const isTransient = !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
  return isTransient && failures < 2;
}
