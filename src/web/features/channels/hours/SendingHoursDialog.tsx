import './hours-styles.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { SendingHoursForm } from './SendingHoursForm.tsx';

type SendingHoursDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Edits the sending hours of a workspace. */
export default function SendingHoursDialog({ workspace, opened, onClose }: SendingHoursDialogProps) {
  return (
    <Dialog title="Sending hours" width={520} opened={opened} onClose={onClose}>
      <SendingHoursForm workspace={workspace} onDone={onClose} />
    </Dialog>
  );
}
