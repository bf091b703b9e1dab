import { Button, Text } from '@mantine/core';
import { IconSend, IconTag, IconTagOff, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { counted } from '#domain/in-words.ts';
import { type Audience, audienceLimits } from '#contract/audience.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { idsMatching } from '#web/api/contacts.ts';
import { act } from '#web/ui/act.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { type ContactSelection, isNamed } from './contact-selection.ts';
import { useDeleteWithUndo } from './delete-with-undo.ts';
import { useWriteTo } from './use-write-to.ts';

const TagDialog = lazy(() => import('./TagDialog.tsx'));
const WriteByTagDialog = lazy(() => import('./WriteByTagDialog.tsx'));

type SelectionActionsProps = {
  selection: ContactSelection;
  /** Called after the selected contacts were deleted. */
  onDeleted: () => void;
  onClear: () => void;
};

/** How many are to be deleted; `before` is how many it was when it was asked first, where others match by now. */
type AskedToDelete = { count: number; before: number | null };

/** What can be done with the selected contacts. */
export function SelectionActions({ selection, onDeleted, onClear }: SelectionActionsProps) {
  const { state, dialog, open } = useDialogState<'add' | 'remove' | 'write'>();
  const { remove, removeMatching, isPending } = useDeleteWithUndo();
  const [asked, setAsked] = useState<AskedToDelete | null>(null);
  const [isGathering, setIsGathering] = useState(false);
  const writeTo = useWriteTo();
  const write = async () => {
    setIsGathering(true);
    await act(
      audienceOfSelection(selection).then((audience) => (audience === null ? open('write') : writeTo({ audience }))),
      { failed: 'Error loading contacts' },
    );
    setIsGathering(false);
  };
  const removeRows = async () => {
    if (selection.kind === 'matching') return setAsked({ count: selection.count, before: null });
    if (await remove(selection.contacts)) onDeleted();
  };
  const removeAll = async () => {
    if (selection.kind !== 'matching' || asked === null) return;
    const deleted = await removeMatching({ filter: selection.filter, expected: asked.count });
    if (deleted.outcome === 'other_number') return setAsked({ count: deleted.count, before: asked.count });
    if (deleted.outcome === 'failed') return;
    onDeleted();
    setAsked(null);
  };
  const count = counted(asked?.count ?? selection.count, 'contact');
  return (
    <>
      <SmallButton variant="filled" icon={IconSend} loading={isGathering} onClick={() => void write()}>
        Write to these
      </SmallButton>
      <SmallButton icon={IconTag} onClick={() => open('add')}>
        Add tags
      </SmallButton>
      <SmallButton icon={IconTagOff} onClick={() => open('remove')}>
        Remove tags
      </SmallButton>
      <SmallButton icon={IconTrash} variant="light" color="red" loading={isPending} onClick={() => void removeRows()}>
        Delete
      </SmallButton>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear
      </Button>
      <Suspense>
        {(state.asked === 'add' || state.asked === 'remove') && (
          <TagDialog key={state.openCount} change={state.asked} selection={selection} {...dialog} />
        )}
        {state.asked === 'write' && <WriteByTagDialog key={state.openCount} selection={selection} {...dialog} />}
      </Suspense>
      <ConfirmDialog
        title={`Delete ${count}?`}
        confirmLabel={`Delete ${count}`}
        opened={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => void removeAll()}
        isBusy={isPending}
      >
        {asked?.before != null && (
          <Text role="alert" fw={600} mb={8}>
            {counted(asked.count, 'contact')} {asked.count === 1 ? 'matches' : 'match'} by now, not{' '}
            {asked.before.toLocaleString('en')}. Nothing was deleted.
          </Text>
        )}
        All that match are deleted, also those that are not shown. They cannot be restored. Reminders that name their
        addresses stay.
      </ConfirmDialog>
    </>
  );
}

/**
 * The audience of a reminder to the selected: their tag, their group or everyone, where that says who they are, else the contacts.
 * Null when these are more than a reminder can name. Throws ApiError.
 */
async function audienceOfSelection(selection: ContactSelection): Promise<Audience | null> {
  if (selection.kind === 'rows') return picked(selection.contacts.map(({ id }) => id));
  const { filter, count } = selection;
  const { search, tag, group } = filter;
  if (!search && tag === undefined && group === undefined) return { everyone: true };
  if (isNamed(filter)) return tag === undefined ? { groups: group === undefined ? [] : [group] } : { tags: [tag] };
  return count > audienceLimits.contacts ? null : picked(await idsMatching(filter));
}

const picked = (contacts: string[]): Audience | null =>
  contacts.length > audienceLimits.contacts ? null : { contacts };
