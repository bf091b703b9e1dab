import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { formTabs } from './form-tabs.ts';

/** What the address of the form says: the open tab, a template to begin with, and whether one is being picked, and how. */
export const FormSearch = z.object({
  tab: z
    .enum(formTabs.map(({ id }) => id))
    .optional()
    .catch(undefined),
  template: z.uuid().optional().catch(undefined),
  pick: z.enum(['own', 'public']).optional().catch(undefined),
  // The router reads `?search=2026` as a number.
  search: z.coerce.string().max(200).optional().catch(undefined),
  category: z.uuid().optional().catch(undefined),
});
export type FormSearch = z.output<typeof FormSearch>;

/** The form's state in the address, and how to change parts of it. Neither a way to leave nor one to come back to. */
export function useFormSearch() {
  const search: FormSearch = FormSearch.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (part: FormSearch) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
      ignoreBlocker: true,
    });
  return { ...search, change };
}
