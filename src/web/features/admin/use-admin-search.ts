import { getRouteApi } from '@tanstack/react-router';
import { useScreenSearch } from '#web/app/use-screen-search.ts';

const route = getRouteApi('/themed/signed-in/admin');

/** What the open tab searches and filters by. */
export const useAdminSearch = () => useScreenSearch(route);

type AdminSearch = ReturnType<typeof useAdminSearch>;

const demos = [
  { value: 'true', label: "With visitors' demos" },
  { value: 'only', label: "Visitors' demos only" },
] as const;

/** Whether a list shows the demos of visitors, which no figure counts. */
export const demosChoice = (value: AdminSearch['demos'], change: AdminSearch['change']) => ({
  label: 'Demos of visitors',
  all: "Without visitors' demos",
  of: demos,
  value,
  width: 210,
  onChoose: (chosen: string | undefined) => change({ demos: demos.find((one) => one.value === chosen)?.value }),
});
