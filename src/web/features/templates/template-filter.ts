import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/themed/signed-in/templates');

export type TemplateFilter = {
  search: string;
  category: string | undefined;
  isOn: boolean;
  change: (part: { search?: string; category?: string }) => void;
};

/** What the list is narrowed to, as the address says. */
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

/** The template that the address opens, and how the address is told which one is open. */
export function useLinkedTemplate(): { id: string | undefined; tell: (id: string | undefined) => void } {
  const { template: id } = route.useSearch();
  const navigate = route.useNavigate();
  return {
    id,
    tell: (template) =>
      void navigate({ search: (before) => ({ ...before, template }), replace: true, resetScroll: false }),
  };
}
