import { getRouteApi } from '@tanstack/react-router';
import { useScreenSearch } from '#web/app/use-screen-search.ts';

const route = getRouteApi('/themed/signed-in/admin');

/** What the open tab searches and filters by. */
export const useAdminSearch = () => useScreenSearch(route);
