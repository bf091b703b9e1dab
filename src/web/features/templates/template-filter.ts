import { getRouteApi } from '@tanstack/react-router';
import { useScreenSearch } from '#web/app/use-screen-search.ts';

const route = getRouteApi('/themed/signed-in/templates');

/** The filters of the list, from the URL, with the open template and the dialog that a command of the palette asked for. */
export function useTemplateFilter() {
  const { search = '', category, template, open: asked, change } = useScreenSearch(route);
  return { search, category, isOn: search !== '' || category !== undefined, template, asked, change };
}

export type TemplateFilter = ReturnType<typeof useTemplateFilter>;
