import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/themed/signed-in/templates');

export type TemplateFilter = {
  search: string;
  category: string | undefined;
  isOn: boolean;
  change: (part: { search?: string; category?: string }) => void;
};

/** The filters of the list, from the URL. */
export function useTemplateFilter(): TemplateFilter {
  const { search = '', category } = route.useSearch();
  const navigate = route.useNavigate();
  return {
    search,
    category,
    isOn: search !== '' || category !== undefined,
    change: (part) =>
      void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false }),
  };
}

/** The dialog that a command of the palette asked for, and a function that forgets it. */
export function useTemplateCommand() {
  const { open: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const forget = () =>
    void navigate({ search: (before) => ({ ...before, open: undefined }), replace: true, resetScroll: false });
  return { asked, forget };
}

/** The id of the open template in the URL, and a function to set it. */
export function useLinkedTemplate(): { id: string | undefined; setLinked: (id: string | undefined) => void } {
  const { template: id } = route.useSearch();
  const navigate = route.useNavigate();
  return {
    id,
    setLinked: (template) =>
      void navigate({ search: (before) => ({ ...before, template }), replace: true, resetScroll: false }),
  };
}
