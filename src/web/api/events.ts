import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import { eventRoutes, type TestEventBody } from '#contract/events.ts';
import { call } from '#web/api/client.ts';

/** Tries an event reminder with the data of an event. */
export function useTestEvent(id: string) {
  return useMutation({
    mutationFn: (body: z.input<typeof TestEventBody>) => call(eventRoutes.testEvent, { params: { id }, body }),
  });
}
