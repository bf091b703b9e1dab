import type { Contact } from '#contract/contacts.ts';
import { type ContactFilter, useDeleteContacts, useDeleteMatching, useRestoreContacts } from '#web/api/contacts.ts';
import { notifyFailure, notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';
import { displayNameOf, countOf } from './contact-words.ts';

/** Deletes at once and offers Undo, except for all that match. Both return whether it succeeded. */
export function useDeleteWithUndo() {
  const { mutateAsync, isPending } = useDeleteContacts();
  const matching = useDeleteMatching();
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
  const removeMatching = async (filter: ContactFilter): Promise<boolean> => {
    try {
      const deleted = await matching.mutateAsync(filter);
      notifySuccess('Contacts deleted', `${countOf(deleted, 'contact')} ${deleted === 1 ? 'is' : 'are'} deleted.`);
      return true;
    } catch (error) {
      notifyFailure('Error deleting contacts', error);
      return false;
    }
  };
  return { remove, removeMatching, isPending: isPending || matching.isPending };
}

function inWords(contacts: readonly Contact[], what: string): string {
  const [only] = contacts;
  if (contacts.length === 1 && only !== undefined) return `${displayNameOf(only)} is ${what}.`;
  return `${countOf(contacts.length, 'contact')} are ${what}.`;
}
