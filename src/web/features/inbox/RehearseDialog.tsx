import { Stack } from '@mantine/core';
import { Dialog } from '#web/ui/Dialog.tsx';
import { MagicRecipients } from './MagicRecipients.tsx';
import { RehearsalForm } from './RehearsalForm.tsx';
import { RehearsalList } from './RehearsalList.tsx';
import classes from './rehearsal.module.css';

/** What fails now, the form for more, and the recipients that fail by themselves. */
export function RehearseDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog title="Rehearse failures" opened={opened} onClose={onClose} width={560}>
      <Stack gap={20}>
        <p className={classes.sentence}>
          Let the sandbox fail as providers do, and see on the Jobs screen what Cuebird makes of it.
        </p>
        <RehearsalList />
        <RehearsalForm />
        <MagicRecipients />
      </Stack>
    </Dialog>
  );
}
