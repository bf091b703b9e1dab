import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { eventRoutes, type TestEventBody } from '#contract/events.ts';
import { useWorkspaceChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { useKey } from '#web/api/query-key.ts';

/** The reported events, latest first, page by page; with `event` those whose name begins with it. */
export const useEvents = (event: string | undefined) =>
  usePagedList({
    queryKey: useKey('events', 'list', { event }),
    read: ({ cursor, signal }) => call(eventRoutes.listEvents, { query: { event, cursor }, signal }),
    watches: ['events', 'jobs'],
    keepsRows: true,
  });

/** Sends an event again, once for each idempotency key. */
export const useRepeatEvent = () =>
  useWorkspaceChange('events', ({ id, idempotencyKey }: { id: string; idempotencyKey: string }) =>
    call(eventRoutes.repeatEvent, { params: { id }, idempotencyKey }),
  );

/** The latest event that a reminder would be sent for, with its data; null without one. For others than event reminders nothing is asked. */
export const useLastEvent = (reminderId: string, { isAsked }: { isAsked: boolean }) =>
  useQuery({
    queryKey: useKey('reminders', 'last event', reminderId),
    queryFn: isAsked
      ? async ({ signal }) => (await call(eventRoutes.getLastEvent, { params: { id: reminderId }, signal })).event
      : skipToken,
    meta: { watches: ['events'] },
  });

/** Sends a test of an event reminder with an event's data. */
export const useTestEvent = (id: string) =>
  useMutation({
    mutationFn: (body: z.input<typeof TestEventBody>) => call(eventRoutes.testEvent, { params: { id }, body }),
  });
