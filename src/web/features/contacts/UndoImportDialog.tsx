import { Stack, Text } from '@mantine/core';
import type { UndoCounts } from '#contract/contact-imports.ts';
import { counted } from '#domain/in-words.ts';
import { useUndoImport, useUndoPreview } from '#web/api/contacts.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import type { ActWords } from '#web/ui/act.ts';
import { undoPreviewInWords } from './contact-words.ts';

type UndoImportDialogProps = {
  importId: string;
  /** The name of its file. */
  name: string;
  opened: boolean;
  onClose: () => void;
  onUndone?: (undone: UndoCounts) => void;
} & Pick<ActWords<UndoCounts>, 'done'>;

/** Asks before an import is undone, with what that deletes and what depends on it. */
export function UndoImportDialog({ importId, name, opened, onClose, onUndone, done }: UndoImportDialogProps) {
  const { mutateAsync } = useUndoImport();
  const { data, isError, isFetching } = useUndoPreview(opened ? importId : null);
  return (
    <ActDialog
      title={`Undo the import of ${name}?`}
      confirmLabel={
        data === undefined || data.deleted === 0 ? 'Undo import' : `Delete ${counted(data.deleted, 'contact')}`
      }
      opened={opened}
      isLoading={isFetching && data === undefined}
      onClose={onClose}
      run={async () => {
        const undone = await mutateAsync(importId);
        onUndone?.(undone);
        return undone;
      }}
      failed="Error undoing the import"
      done={done}
      removesOpener
    >
      {data === undefined ? (
        <Text role="status">
          {isError
            ? 'How many contacts that deletes could not be loaded. Contacts that it added are deleted, those that it changed are changed back.'
            : 'Counting the contacts…'}
        </Text>
      ) : (
        <Stack gap={6}>
          {undoPreviewInWords(data).map((sentence) => (
            <span key={sentence}>{sentence}</span>
          ))}
        </Stack>
      )}
    </ActDialog>
  );
}
