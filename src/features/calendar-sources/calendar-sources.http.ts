import type { calendarSourceRoutes } from '#contract/calendar-sources.ts';
import * as sources from '#features/calendar-sources/calendar-sources.service.ts';
import type { ReadPorts } from '#features/calendar-sources/read-source.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const calendarSourceHandlers = (ports: ReadPorts): HandlersOf<typeof calendarSourceRoutes> => ({
  listCalendarSources: ({ ctx }) => sources.listSources(ctx),
  previewCalendarSource: ({ ctx, body }) => sources.previewSource(ctx, { input: body, ports }),
  createCalendarSource: ({ ctx, body }) => sources.createSource(ctx, { input: body, ports }),
  updateCalendarSource: ({ ctx, params, body }) => sources.updateSource(ctx, { id: params.id, input: body, ports }),
  readCalendarSource: ({ ctx, params }) => sources.readSourceNow(ctx, { id: params.id, ports }),
  removeCalendarSource: ({ ctx, params, query }) =>
    sources.removeSource(ctx, { id: params.id, reminder: query.reminder }),
});
