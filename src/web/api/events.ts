import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { eventRoutes, type TestEventBody } from '#contract/events.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf } from '#web/api/query-key.ts';

/** The events that came in, latest first, page by page; with `event` those whose name begins so. */
export function useEvents(event: string | undefined) {
  const workspaceId = useWorkspaceId();
  return usePagedList({
    queryKey: keyOf(workspaceId, 'events', 'list', { event }),
    read: ({ cursor, signal }) => call(eventRoutes.listEvents, { query: { event, cursor }, signal }),
    watches: ['events', 'jobs'],
    keepsRows: true,
  });
}

/** Sends an event again, once for each idempotency key. */
export function useRepeatEvent() {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: ({ id, idempotencyKey }: { id: string; idempotencyKey: string }) =>
      call(eventRoutes.repeatEvent, { params: { id }, idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'events') }),
  });
}

/** Tries an event reminder with the data of an event. */
export function useTestEvent(id: string) {
  return useMutation({
    mutationFn: (body: z.input<typeof TestEventBody>) => call(eventRoutes.testEvent, { params: { id }, body }),
  });
}
