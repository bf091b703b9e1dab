import { useTagContacts } from '#web/api/contacts.ts';
import { notifyFailure, notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';
import type { ContactSelection } from './contact-selection.ts';
import { countOf } from './contact-words.ts';

type Tagging = { change: 'add' | 'remove'; tags: readonly string[] };

/** Adds tags to contacts, or removes them, and offers Undo for those that changed. `tag` returns whether it succeeded. */
export function useTagWithUndo() {
  const { mutateAsync, isPending } = useTagContacts();
  const undo = async ({ change, tags }: Tagging, ids: readonly string[]) => {
    try {
      await mutateAsync({ of: ids, [change === 'add' ? 'remove' : 'add']: tags });
      notifySuccess('Tags restored', `${countOf(ids.length, 'contact')} as before.`);
    } catch (error) {
      notifyFailure('Error changing tags', error);
    }
  };
  const tag = async (selection: ContactSelection, tagging: Tagging): Promise<boolean> => {
    const of =
      selection.kind === 'matching'
        ? { filter: selection.filter, expected: selection.count }
        : selection.contacts.map(({ id }) => id);
    try {
      const { ids, full } = await mutateAsync({ of, [tagging.change]: tagging.tags });
      const words = inWords(tagging, { changed: ids.length, full });
      if (ids.length === 0) notifySuccess('Nothing to change', words);
      else
        notifyUndoable(tagging.change === 'add' ? 'Tags added' : 'Tags removed', words, () => void undo(tagging, ids));
      return true;
    } catch (error) {
      notifyFailure('Error changing tags', error);
      return false;
    }
  };
  return { tag, isPending };
}

/** `“vip” added to 12 contacts. 2 contacts have 20 tags already and stay as they are.` */
function inWords({ change, tags }: Tagging, { changed, full }: { changed: number; full: number }): string {
  const named = tags.map((tag) => `“${tag}”`).join(', ');
  const overfull =
    full === 0
      ? ''
      : ` ${countOf(full, 'contact')} ${full === 1 ? 'has' : 'have'} 20 tags already and ${full === 1 ? 'stays as it is' : 'stay as they are'}.`;
  if (changed > 0)
    return `${named} ${change === 'add' ? 'added to' : 'removed from'} ${countOf(changed, 'contact')}.${overfull}`;
  return overfull.trim() || `${change === 'add' ? 'All of them have' : 'None of them has'} ${named}.`;
}
