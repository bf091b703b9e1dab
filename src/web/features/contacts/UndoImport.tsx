import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useUndoImport } from '#web/api/contacts.ts';
import { act } from '#web/ui/act.ts';
import { undoInWords } from './contact-words.ts';

type UndoImportProps = {
  importId: string;
  /** What became of its contacts; null as long as it is not undone. */
  undone: string | null;
  onUndone: (words: string) => void;
};

/** Takes an import back, and says what became of its contacts. */
export function UndoImport({ importId, undone, onUndone }: UndoImportProps) {
  const { mutateAsync, isPending } = useUndoImport();
  const undo = async () => {
    await act(
      mutateAsync(importId).then((undone) => onUndone(undoInWords(undone))),
      { failed: 'Error undoing the import' },
    );
  };
  return (
    <div>
      {undone === null && (
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          loading={isPending}
          onClick={() => void undo()}
        >
          Undo import
        </Button>
      )}
      <span role="status">{undone}</span>
    </div>
  );
}
