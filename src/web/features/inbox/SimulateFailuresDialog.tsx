import { Stack } from '@mantine/core';
import { Dialog } from '#web/ui/Dialog.tsx';
import { MagicRecipients } from './MagicRecipients.tsx';
import { SimulatedFailureForm } from './SimulatedFailureForm.tsx';
import { SimulatedFailureList } from './SimulatedFailureList.tsx';
import classes from './simulated-failure.module.css';

/** The current failures, the form to add one, and the recipients that always fail. */
export function SimulateFailuresDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog title="Simulate failures" opened={opened} onClose={onClose} width={560}>
      <Stack gap={20}>
        <p className={classes.sentence}>
          Simulate failures of providers, and see on the Jobs screen how Cuebird handles them.
        </p>
        <SimulatedFailureList />
        <SimulatedFailureForm />
        <MagicRecipients />
      </Stack>
    </Dialog>
  );
}
