import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useUndoImport } from '#web/api/contacts.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { countOf } from './contact-words.ts';

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
    try {
      onUndone(inWords(await mutateAsync(importId)));
    } catch (error) {
      notifyFailure('Error undoing the import', error);
    }
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

/** `The import is undone: 2 contacts deleted, 1 contact restored. 1 contact was changed since and stays.` */
function inWords({ deleted, restored, kept }: { deleted: number; restored: number; kept: number }): string {
  const parts = [
    [deleted, 'deleted'],
    [restored, 'restored'],
  ] as const;
  const done = parts.filter(([count]) => count > 0).map(([count, word]) => `${countOf(count, 'contact')} ${word}`);
  const stays =
    kept === 0
      ? ''
      : ` ${countOf(kept, 'contact')} ${kept === 1 ? 'was changed since and stays' : 'were changed since and stay'}.`;
  return done.length === 0 ? `Nothing was undone.${stays}` : `The import is undone: ${done.join(', ')}.${stays}`;
}
