import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { agendaRoutes } from '#contract/agenda.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { useKey } from '#web/api/query-key.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';

export type AgendaFilter = {
  reminder?: string | undefined;
  group?: string | undefined;
  contact?: string | undefined;
  tag?: string | undefined;
  channel?: ChannelType | undefined;
};

/**
 * The next 60 days of the viewer's calendar. Asked again each minute, and not with each job: in a busy workspace jobs change many times a second, and this
 * computes all of it.
 */
export function useAgenda(filter: AgendaFilter, { hasEntries }: { hasEntries: boolean }) {
  const query = { ...filter, timezone: viewerZone(), ...(!hasEntries && { entries: 0 }) };
  return useQuery({
    queryKey: useKey('agenda', 'days', query),
    queryFn: ({ signal }) => call(agendaRoutes.getAgenda, { query, signal }),
    placeholderData: keepPreviousData,
    meta: { watches: ['reminders'] },
    refetchInterval: 60_000,
  });
}

const pageSize = 50;

/** Everything that is sent on one day, soonest first. */
export function useAgendaDay(filter: AgendaFilter & { day: string }) {
  const query = { ...filter, timezone: viewerZone() };
  return usePagedList({
    queryKey: useKey('agenda', 'day', query),
    read: ({ cursor, signal }) =>
      call(agendaRoutes.listAgendaDay, { query: { ...query, limit: pageSize, cursor }, signal }),
    watches: ['reminders'],
  });
}
