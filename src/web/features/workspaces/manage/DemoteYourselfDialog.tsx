import type { Workspace } from '#contract/workspaces.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';

type DemoteYourselfDialogProps = {
  workspace: Workspace;
  opened: boolean;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before an admin gives up what only somebody else can give back. */
export const DemoteYourselfDialog = ({ workspace, ...dialog }: DemoteYourselfDialogProps) => (
  <ConfirmDialog title="Demote yourself?" confirmLabel="Become a member" {...dialog}>
    You can then no longer change channels, members and settings of {workspace.name}. Only its owner or another admin
    can undo this.
  </ConfirmDialog>
);
