import './hours-styles.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { SendingHoursForm } from './SendingHoursForm.tsx';

type SendingHoursDialogProps = { opened: boolean; onClose: () => void };

/** Edits the sending hours of the workspace. */
export default function SendingHoursDialog({ opened, onClose }: SendingHoursDialogProps) {
  const { workspace } = useWorkspace();
  return (
    <Dialog title="Sending hours" width={520} opened={opened} onClose={onClose}>
      <SendingHoursForm workspace={workspace} onDone={onClose} />
    </Dialog>
  );
}
