import { IconBan } from '@tabler/icons-react';
import type { Workspace } from '#contract/workspaces.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import DeletedWorkspace from './DeletedWorkspace.tsx';

/** In place of every screen of a workspace that is being deleted or is suspended. */
export default function ClosedWorkspace({ workspace }: { workspace: Workspace }) {
  if (workspace.delete_after !== null) return <DeletedWorkspace workspace={workspace} />;
  return (
    <>
      <PageHeader title={workspace.name} />
      <EmptyState
        icon={IconBan}
        title="This workspace is suspended"
        sentence="Nothing of it is sent, and nothing in it can be seen or changed. Ask an administrator of this installation to lift the suspension."
      />
    </>
  );
}
