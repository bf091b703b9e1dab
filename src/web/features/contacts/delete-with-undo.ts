import { counted } from '#domain/in-words.ts';
import type { Contact } from '#contract/contacts.ts';
import { ApiError } from '#web/api/client.ts';
import {
  countMatching,
  type MatchingContacts,
  useDeleteContacts,
  useDeleteMatching,
  useRestoreContacts,
} from '#web/api/contacts.ts';
import { act } from '#web/ui/act.ts';
import { notifyFailure, notifySuccess, notifyUndoable } from '#web/ui/notify.tsx';
import { displayNameOf } from './contact-words.ts';

type MatchingDeleted = { outcome: 'deleted' } | { outcome: 'failed' } | { outcome: 'other_number'; count: number };

/** Deletes at once and offers Undo, except for all that match. `remove` returns whether it succeeded. */
export function useDeleteWithUndo() {
  const { mutateAsync, isPending } = useDeleteContacts();
  const matching = useDeleteMatching();
  const restore = useRestoreContacts();
  const undo = (contacts: readonly Contact[]) =>
    act(restore.mutateAsync(contacts), {
      done: [contacts.length === 1 ? 'Contact restored' : 'Contacts restored', inWords(contacts, 'restored')],
      failed: 'Error restoring contacts',
    });
  const remove = async (contacts: readonly Contact[]): Promise<boolean> => {
    if (!(await act(mutateAsync(contacts), { failed: 'Error deleting contacts' }))) return false;
    const title = contacts.length === 1 ? 'Contact deleted' : 'Contacts deleted';
    notifyUndoable(title, inWords(contacts, 'deleted'), { undo: () => undo(contacts), about: 'deleted contacts' });
    return true;
  };
  const removeMatching = async (contacts: MatchingContacts): Promise<MatchingDeleted> => {
    try {
      const deleted = await matching.mutateAsync(contacts);
      notifySuccess('Contacts deleted', `${counted(deleted, 'contact')} ${deleted === 1 ? 'is' : 'are'} deleted.`);
      return { outcome: 'deleted' };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'conflict') {
        const count = await countMatching(contacts.filter).catch(() => null);
        if (count !== null) return { outcome: 'other_number', count };
      }
      notifyFailure('Error deleting contacts', error);
      return { outcome: 'failed' };
    }
  };
  return { remove, removeMatching, isPending: isPending || matching.isPending };
}

function inWords(contacts: readonly Contact[], what: string): string {
  const [only] = contacts;
  if (contacts.length === 1 && only !== undefined) return `${displayNameOf(only)} is ${what}.`;
  return `${counted(contacts.length, 'contact')} are ${what}.`;
}
