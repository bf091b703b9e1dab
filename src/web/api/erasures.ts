import type { z } from 'zod';
import { type ErasureInput, erasureRoutes } from '#contract/erasures.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf } from '#web/api/query-key.ts';

/** The erasures of a workspace, newest first. They go on for some seconds, so they are read again while the list is shown. */
export const useErasures = (workspaceId: string) =>
  usePagedList({
    queryKey: keyOf(workspaceId, 'erasures', 'list'),
    read: ({ cursor, signal }) =>
      call(erasureRoutes.listErasures, { query: { limit: 20, cursor }, workspaceId, signal }),
    refetchInterval: 5_000,
  });

/** Begins to erase a person; resolves after the list and the contacts are refetched. */
export const useErasePerson = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'erasures'), keyOf(workspaceId, 'contacts')], (body: z.input<typeof ErasureInput>) =>
    call(erasureRoutes.erasePerson, { body, workspaceId }),
  );

/** What is kept about a person, as JSON. */
export async function fetchPerson(workspaceId: string, addresses: string[]): Promise<Blob> {
  const found = await call(erasureRoutes.exportPerson, { body: { addresses }, workspaceId });
  return new Blob([JSON.stringify(found, null, 2)], { type: 'application/json' });
}
