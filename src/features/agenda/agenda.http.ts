import type { agendaRoutes } from '#contract/agenda.ts';
import { agendaOf, listAgendaDay } from '#features/agenda/agenda.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const agendaHandlers: HandlersOf<typeof agendaRoutes> = {
  getAgenda: ({ ctx, query }) => agendaOf(ctx, query),
  listAgendaDay: ({ ctx, query }) => listAgendaDay(ctx, query),
};
