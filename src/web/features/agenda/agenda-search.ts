import { getRouteApi } from '@tanstack/react-router';
import { z } from 'zod';
import { Tag } from '#contract/audience.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { useScreenSearch } from '#web/app/use-screen-search.ts';

/** The state of the agenda in the URL: its filters, the month that is shown, and the day that is open. */
const AgendaSearch = z.object({
  reminder: z.uuid().optional().catch(undefined),
  group: z.uuid().optional().catch(undefined),
  contact: z.uuid().optional().catch(undefined),
  tag: Tag.optional().catch(undefined),
  channel: z.enum(channelTypes).optional().catch(undefined),
  view: z.enum(['month']).optional().catch(undefined),
  /** `2026-12`; the first month by default. */
  month: z.string().optional().catch(undefined),
  day: z.iso.date().optional().catch(undefined),
});

const route = getRouteApi('/themed/signed-in/agenda');

export const useAgendaSearch = () => useScreenSearch({ useSearch: () => AgendaSearch.parse(route.useSearch()) });
