import type { exclusionRoutes } from '#contract/exclusions.ts';
import { endPauseOfContact, pauseContact } from '#features/exclusions/pause.service.ts';
import { endSkip, skipRun } from '#features/exclusions/skips.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const exclusionHandlers: HandlersOf<typeof exclusionRoutes> = {
  pauseContact: ({ ctx, params, body }) => pauseContact(ctx, { id: params.id, ...body }),
  endPauseOfContact: ({ ctx, params }) => endPauseOfContact(ctx, params.id),
  async skipRun({ ctx, params }) {
    await skipRun(ctx, { jobId: params.id, contactId: params.contact });
    return {};
  },
  async endSkip({ ctx, params }) {
    await endSkip(ctx, { jobId: params.id, contactId: params.contact });
    return {};
  },
};
