import type { Template } from '#contract/templates.ts';
import { useDuplicateTemplate } from '#web/api/templates.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

/** Copies a template within its workspace, and tells how it went. */
export function useDuplicate({ id, name }: Template) {
  const { mutateAsync, isPending } = useDuplicateTemplate();
  // Awaited here: the card may be gone before the answer is told.
  const duplicate = async () => {
    try {
      const copy = await mutateAsync(id);
      notifySuccess('Template duplicated', `“${name}” is there once more as “${copy.name}”`);
    } catch (error) {
      notifyFailure('Error duplicating template', error);
    }
  };
  return { duplicate, isBusy: isPending };
}
