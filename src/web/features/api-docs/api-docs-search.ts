import { getRouteApi } from '@tanstack/react-router';
import { z } from 'zod';
import { useScreenSearch } from '#web/app/use-screen-search.ts';

const word = z.string().max(100).optional().catch(undefined);

/** The state of the screen in the URL: its tab, and which endpoints are shown. */
export const ApiDocsSearch = z.object({
  tab: z.enum(['authentication', 'quick-start']).optional().catch(undefined),
  category: word,
  search: word,
  endpoint: word,
});
export type ApiDocsSearch = z.output<typeof ApiDocsSearch>;

const route = getRouteApi('/themed/signed-in/api-docs');

export const useApiDocsSearch = () => useScreenSearch(route);
