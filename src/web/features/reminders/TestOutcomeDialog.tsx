import { Dialog } from '#web/ui/Dialog.tsx';
import { TestOutcome } from './TestOutcome.tsx';

type TestOutcomeDialogProps = { /** The id of the job. */ id: string; opened: boolean; onClose: () => void };

export default function TestOutcomeDialog({ id, opened, onClose }: TestOutcomeDialogProps) {
  return (
    <Dialog title="Test outcome" opened={opened} onClose={onClose} width={640}>
      <TestOutcome id={id} />
    </Dialog>
  );
}
