import { counted } from '#domain/in-words.ts';
import { useTagContacts } from '#web/api/contacts.ts';
import { act } from '#web/ui/act.ts';
import { notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';
import type { ContactSelection } from './contact-selection.ts';

type Tagging = { change: 'add' | 'remove'; tags: readonly string[] };

/** Adds tags to contacts, or removes them, and offers Undo for those that changed. `tag` returns whether it succeeded. */
export function useTagWithUndo() {
  const { mutateAsync, isPending } = useTagContacts();
  const undo = ({ change, tags }: Tagging, ids: readonly string[]) =>
    act(mutateAsync({ of: ids, [change === 'add' ? 'remove' : 'add']: tags }), {
      done: ['Tags restored', `${counted(ids.length, 'contact')} as before.`],
      failed: 'Error changing tags',
    });
  const tag = async (selection: ContactSelection, tagging: Tagging): Promise<boolean> => {
    const of =
      selection.kind === 'matching'
        ? { filter: selection.filter, expected: selection.count }
        : selection.contacts.map(({ id }) => id);
    return act(
      mutateAsync({ of, [tagging.change]: tagging.tags }).then(({ ids, full }) => {
        const words = inWords(tagging, { changed: ids.length, full });
        if (ids.length === 0) return notifySuccess('Nothing to change', words);
        const title = tagging.change === 'add' ? 'Tags added' : 'Tags removed';
        notifyUndoable(title, words, { undo: () => undo(tagging, ids), about: 'tags of contacts' });
      }),
      { failed: 'Error changing tags' },
    );
  };
  return { tag, isPending };
}

/** `“vip” added to 12 contacts. 2 contacts have 20 tags already and stay as they are.` */
function inWords({ change, tags }: Tagging, { changed, full }: { changed: number; full: number }): string {
  const named = tags.map((tag) => `“${tag}”`).join(', ');
  const overfull =
    full === 0
      ? ''
      : ` ${counted(full, 'contact')} ${full === 1 ? 'has' : 'have'} 20 tags already and ${full === 1 ? 'stays as it is' : 'stay as they are'}.`;
  if (changed > 0)
    return `${named} ${change === 'add' ? 'added to' : 'removed from'} ${counted(changed, 'contact')}.${overfull}`;
  return overfull.trim() || `${change === 'add' ? 'All of them have' : 'None of them has'} ${named}.`;
}
