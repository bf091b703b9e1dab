import { Stack } from '@mantine/core';
import { IconArrowBackUp, IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import type { ContactImport } from '#contract/contact-imports.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { useImports } from '#web/api/contacts.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ImportProgress } from '#web/ui/ImportTable.tsx';
import { List } from '#web/ui/List.tsx';
import prose from '#web/ui/prose.module.css';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { countsInWords, undoInWords } from './contact-words.ts';
import classes from './dialogs.module.css';
import { UndoImportDialog } from './UndoImportDialog.tsx';

const title = 'Recent imports';

/** The latest imports of the workspace, by whomever, each with Undo for a day. */
export default function RecentImports({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const imports = useImports({ isWatched: opened });
  return (
    <Dialog title={title} opened={opened} onClose={onClose} width={640}>
      <List
        isPart
        noun="the imports"
        label={title}
        of={{ ...imports, data: imports.data?.data }}
        cardClass={classes.import}
        card={(of) => <Entry of={of} />}
        empty={{
          icon: IconFileImport,
          title: 'Nothing was imported yet',
          sentence: 'Each imported file is listed here, and can be undone for a day.',
        }}
      />
    </Dialog>
  );
}

function Entry({ of }: { of: ContactImport }) {
  const { file_name: fileName, imported_by: by, imported_at: at } = of;
  const name = fileName ?? 'Pasted text';
  return (
    <>
      <Stack gap={4} flex="1 1 240px" miw={0}>
        <strong className={prose.breaks}>{name}</strong>
        <span className={prose.tiny}>
          {by ?? 'A program'} · <RelativeTime at={at} />
        </span>
        <Outcome of={of} />
      </Stack>
      {of.can_undo && <Undo of={of} name={name} />}
    </>
  );
}

function Outcome({
  of: { status, lines, lines_done: done, counts, undo, undone_at, undone_by },
}: {
  of: ContactImport;
}) {
  switch (status) {
    case 'running':
      return <ImportProgress noun="lines" all={lines} done={done} />;
    case 'failed':
      return <span>It failed, and imported nothing.</span>;
    case 'completed':
      return (
        <>
          {counts !== null && <span>{countsInWords(counts)}</span>}
          {undo !== null && (
            <span className={prose.tiny}>
              {undoInWords(undo)} By {undone_by ?? 'a program'}
              {undone_at !== null && (
                <>
                  , <RelativeTime at={undone_at} />
                </>
              )}
            </span>
          )}
        </>
      );
    default:
      return status satisfies never;
  }
}

function Undo({ of: { id }, name }: { of: ContactImport; name: string }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <SmallButton icon={IconArrowBackUp} aria-label={`Undo import of ${name}`} onClick={() => setAsking(true)}>
        Undo import
      </SmallButton>
      <UndoImportDialog
        importId={id}
        name={name}
        opened={isAsking}
        onClose={() => setAsking(false)}
        done={(undone) => ['Import undone', undoInWords(undone)]}
      />
    </>
  );
}
