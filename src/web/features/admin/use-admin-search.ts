import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/themed/signed-in/admin');

/** What the open tab searches and filters by, in the URL. Undefined ends a part of it. */
export function useAdminSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  type Changed = Partial<typeof search>;
  return {
    search,
    change: (changed: Changed) =>
      void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false }),
  };
}
