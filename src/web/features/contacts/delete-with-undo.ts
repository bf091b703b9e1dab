import type { Contact } from '#contract/contacts.ts';
import { useDeleteContacts, useRestoreContacts } from '#web/api/contacts.ts';
import { notifyFailure, notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';
import { displayNameOf, countOf } from './contact-words.ts';

/** Deletes at once and offers Undo. `remove` returns whether it succeeded. */
export function useDeleteWithUndo() {
  const { mutateAsync, isPending } = useDeleteContacts();
  const restore = useRestoreContacts();
  const undo = async (contacts: readonly Contact[]) => {
    try {
      await restore.mutateAsync(contacts);
      notifySuccess(contacts.length === 1 ? 'Contact restored' : 'Contacts restored', inWords(contacts, 'restored'));
    } catch (error) {
      notifyFailure('Error restoring contacts', error);
    }
  };
  const remove = async (contacts: readonly Contact[]): Promise<boolean> => {
    try {
      await mutateAsync(contacts);
    } catch (error) {
      notifyFailure('Error deleting contacts', error);
      return false;
    }
    const title = contacts.length === 1 ? 'Contact deleted' : 'Contacts deleted';
    notifyUndoable(title, inWords(contacts, 'deleted'), () => void undo(contacts));
    return true;
  };
  return { remove, isPending };
}

function inWords(contacts: readonly Contact[], what: string): string {
  const [only] = contacts;
  if (contacts.length === 1 && only !== undefined) return `${displayNameOf(only)} is ${what}.`;
  return `${countOf(contacts.length, 'contact')} are ${what}.`;
}
