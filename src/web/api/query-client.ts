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

/** The session waits for the code of the second factor: it has not ended. */
export const secondFactorRequired = 'second_factor_required';

/** True from the first request that was refused because of maintenance, until `maintenanceQuery` finds that it is over. */
export const maintenanceKey = ['maintenance'];

/**
 * The cache of all server data. `onSignedOut` is called when a response shows that the session has ended. Requests are also made where
 * the browser believes that it is offline: the server may be this machine, and whoever clicks is told what failed.
 */
export function createQueryClient({ onSignedOut }: { onSignedOut: () => void }): QueryClient {
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    if (error.code === 'maintenance') client.setQueryData(maintenanceKey, true);
    else if (error.status === 401 && error.code !== secondFactorRequired) onSignedOut();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: mayHelpToRetry,
        retryDelay: waitMs,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** A longer wait is shown with its reason: whoever looks at the screen decides. */
const longestWaitSeconds = 10;

/** Asks again twice where that may help, and not before the server wants to be asked. */
export function mayHelpToRetry(failures: number, error: unknown): boolean {
  if (failures >= 2) return false;
  if (!(error instanceof ApiError)) return true;
  const { status, retryAfterSeconds } = error;
  if (retryAfterSeconds !== null && retryAfterSeconds > longestWaitSeconds) return false;
  return status === 0 || status >= 500 || (status === 429 && retryAfterSeconds !== null);
}

/** As long as the server asks for; else 1 second, then 2. */
export const waitMs = (failures: number, error: unknown): number =>
  error instanceof ApiError && error.retryAfterSeconds !== null
    ? error.retryAfterSeconds * 1_000
    : 1_000 * 2 ** failures;
