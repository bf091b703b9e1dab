import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { formTabs } from './form-tabs.ts';

/** Where the template picker looks. */
export const pickerTabs = ['own', 'starters', 'public'] as const;

/** The state of the form in the URL: the open tab, the template to start with, and the state of the template picker. */
export const FormSearch = z.object({
  tab: z
    .enum(formTabs.map(({ id }) => id))
    .optional()
    .catch(undefined),
  /** A line in words that fills in the form, such as that of the landing page. */
  line: z.string().max(300).optional().catch(undefined),
  /** Whose draft a message to chosen people is. */
  message: z.string().max(40).optional().catch(undefined),
  template: z.uuid().optional().catch(undefined),
  pick: z.enum(pickerTabs).optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
  category: z.uuid().optional().catch(undefined),
});
export type FormSearch = z.output<typeof FormSearch>;

/**
 * Reads and changes the form's state in the URL. A change adds no history entry and is not blocked as leaving the form.
 */
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
