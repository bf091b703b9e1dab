import { Dialog } from '#web/ui/Dialog.tsx';
import { CreateWorkspaceForm } from './CreateWorkspaceForm.tsx';

/** The form in a dialog; loaded when first opened. */
export default function CreateWorkspaceDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog title="Create Workspace" opened={opened} onClose={onClose}>
      <CreateWorkspaceForm submitLabel="Create Workspace" onCreated={onClose} onCancel={onClose} />
    </Dialog>
  );
}
