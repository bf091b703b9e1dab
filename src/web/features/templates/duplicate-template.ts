import { useDuplicateTemplate } from '#web/api/templates.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

/** Copies a template within its workspace and shows the result. */
export function useDuplicate({ id, name }: { id: string; name: string }) {
  const { mutateAsync, isPending } = useDuplicateTemplate();
  // The result is handled here and not in a mutation callback: the card may be unmounted before the response.
  const duplicate = async () => {
    try {
      const copy = await mutateAsync(id);
      notifySuccess('Template duplicated', `“${name}” has been copied as “${copy.name}”`);
    } catch (error) {
      notifyFailure('Error duplicating template', error);
    }
  };
  return { duplicate, isBusy: isPending };
}
