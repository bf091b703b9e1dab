import type { ReactNode } from 'react';
import type { AdminWorkspaceDetails } from '#contract/admin-workspaces.ts';
import { useAdministeredWorkspace } from '#web/api/admin-workspaces.ts';
import { isUnknown } from '#web/api/client.ts';
import { Figures, FiguresSkeleton } from '#web/features/workspaces/analytics/Figures.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { Fact, Facts } from '#web/ui/Facts.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import type { Column } from '#web/ui/Table.tsx';
import list from '#web/ui/list.module.css';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import record from '#web/ui/record.module.css';
import { WorkspaceActs, WorkspaceStatus } from './WorkspaceActs.tsx';

type AdministeredWorkspaceProps = {
  id: string;
  /** The link above the title. */
  back: ReactNode;
  /** For everybody who does not administer the installation. */
  children: ReactNode;
};

/** A workspace that an administrator of the installation is no member of: what it is and who is in it. */
export function AdministeredWorkspace({ id, back, children }: AdministeredWorkspaceProps) {
  const found = useAdministeredWorkspace(id);
  const { data: workspace, error } = found;
  if (found.isPending)
    return (
      <>
        <PageHeader title="Loading..." above={back} />
        <FiguresSkeleton label="Loading..." count={3} />
      </>
    );
  if (workspace === undefined)
    return isUnknown(error) ? (
      children
    ) : (
      <>
        <PageHeader title="Manage workspace" above={back} />
        <ErrorState title="Error loading workspace" of={found} />
      </>
    );
  return (
    <>
      <PageHeader
        title={workspace.name}
        subtitle="You administer this installation and are no member of this workspace: only its owners and admins change it."
        above={back}
        actions={
          <ButtonLink
            to="/admin/workspace/$workspaceId/analytics"
            params={{ workspaceId: workspace.id }}
            variant="default"
          >
            Analytics
          </ButtonLink>
        }
      />
      <div className={record.column}>
        <Figures
          label="Overview"
          of={[
            { label: 'Members', value: workspace.member_count },
            { label: 'Plan', value: capitalised(workspace.subscription_tier) },
            { label: 'Subscription', value: capitalised(workspace.subscription_status) },
          ]}
        />
        <RecordSection title="Workspace" aside={<WorkspaceActs workspace={workspace} />}>
          <Facts>
            <Fact name="Name">{workspace.name}</Fact>
            <Fact name="Description">{workspace.description || 'No description'}</Fact>
            <Fact name="Created">
              <InstantText at={workspace.created_at} show="day" />
            </Fact>
            <Fact name="Status">
              <WorkspaceStatus workspace={workspace} />
            </Fact>
          </Facts>
        </RecordSection>
        <RecordSection title="Members">
          <List
            isPart
            noun="members"
            of={{ ...found, data: workspace.members }}
            columns={memberColumns}
            extent={({ length }) =>
              length < workspace.member_count &&
              `The first ${length} of ${workspace.member_count.toLocaleString('en')} members.`
            }
          />
        </RecordSection>
      </div>
    </>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ');

const memberColumns: readonly Column<AdminWorkspaceDetails['members'][number]>[] = [
  {
    title: 'Member',
    cell: ({ full_name: name, email }) => (
      <span className={list.cell}>
        <span className={list.name}>{name || 'Unknown'}</span>
        <span className={list.note}>{email}</span>
      </span>
    ),
  },
  { title: 'Role', width: 100, cell: ({ role }) => capitalised(role) },
  { title: 'Joined', width: 144, cell: ({ joined_at: at }) => <InstantText at={at} show="day" /> },
];
