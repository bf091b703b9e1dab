import { useNavigate } from '@tanstack/react-router';

/**
 * The state of a screen in its URL, and `change`, in which undefined ends a part of it. A change is a step that Back undoes,
 * unless it replaces the one before.
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
