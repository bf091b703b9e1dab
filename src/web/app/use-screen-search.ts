import { useNavigate } from '@tanstack/react-router';

/**
 * A screen's state in the URL, and `change`, which removes parts that are undefined. A change can be undone by Back, unless it replaces the previous
 * entry.
 */
export function useScreenSearch<Search extends object>(
  route: { useSearch: () => Search },
  { replaces = true }: { replaces?: boolean } = {},
) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = (part: Partial<Search>, { replace = replaces } = {}) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...part }), replace, resetScroll: false });
  return { ...search, change };
}
