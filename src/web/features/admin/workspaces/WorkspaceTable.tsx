import { VisuallyHidden } from '@mantine/core';
import { IconBan, IconCheck, IconTrash } from '@tabler/icons-react';
import type { AdminWorkspace } from '#contract/admin-workspaces.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import classes from '#web/features/admin/admin.module.css';
import { WorkspaceActs } from './WorkspaceActs.tsx';

type WorkspaceTableProps = { workspaces: readonly AdminWorkspace[]; mayAct: boolean; isStale: boolean };

export const WorkspaceTable = ({ workspaces, mayAct, isStale }: WorkspaceTableProps) => (
  <table className={classes.table} data-stale={isStale || undefined}>
    <thead>
      <tr>
        <th>Workspace</th>
        <th className={classes.status}>Status</th>
        <th className={`${classes.count} ${classes.number} ${classes.wide}`}>Members</th>
        <th className={`${classes.day} ${classes.wide}`}>Created</th>
        <th className={classes.links}>
          <VisuallyHidden>Screens</VisuallyHidden>
        </th>
        {mayAct && (
          <th className={classes.menu}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {workspaces.map((workspace) => (
        <tr key={workspace.id}>
          <td className={classes.main}>
            <span className={classes.cell}>
              <span className={classes.name}>{workspace.name}</span>
              {workspace.owner_email !== null && <span className={classes.quiet}>{workspace.owner_email}</span>}
              <span className={`${classes.quiet} ${classes.phone}`}>
                {counted(workspace.member_count)}, created <InstantText at={workspace.created_at} show="day" />
              </span>
            </span>
          </td>
          <td className={`${classes.status} ${classes.full}`}>
            <WorkspaceStatus workspace={workspace} />
          </td>
          <td className={`${classes.count} ${classes.number} ${classes.wide}`}>
            {workspace.member_count.toLocaleString('en')}
          </td>
          <td className={`${classes.day} ${classes.wide}`}>
            <InstantText at={workspace.created_at} show="day" />
          </td>
          <td className={classes.links}>
            <span className={classes.buttons}>
              <ButtonLink
                to="/admin/workspace/$workspaceId/manage"
                params={{ workspaceId: workspace.id }}
                target="_blank"
                size="compact-sm"
                variant="default"
                aria-label={`Manage ${workspace.name}, in a new window`}
              >
                Manage
              </ButtonLink>
              <ButtonLink
                to="/admin/workspace/$workspaceId/analytics"
                params={{ workspaceId: workspace.id }}
                target="_blank"
                size="compact-sm"
                variant="default"
                aria-label={`Analytics of ${workspace.name}, in a new window`}
              >
                Analytics
              </ButtonLink>
            </span>
          </td>
          {mayAct && (
            <td className={classes.menu}>
              <WorkspaceActs workspace={workspace} />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

const counted = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'member' : 'members'}`;

export const WorkspaceStatus = ({ workspace }: { workspace: AdminWorkspace }) => (
  <span className={classes.cell}>
    <span className={classes.badges}>
      {workspace.suspended_at !== null && <ToneBadge word="Suspended" tone="bad" icon={IconBan} />}
      {workspace.delete_after !== null && <ToneBadge word="Deleted" tone="waiting" icon={IconTrash} />}
      {workspace.suspended_at === null && workspace.delete_after === null && (
        <ToneBadge word="Active" tone="good" icon={IconCheck} />
      )}
    </span>
    {workspace.delete_after !== null && (
      <span className={classes.quiet}>
        can be restored until <InstantText at={workspace.delete_after} />
      </span>
    )}
  </span>
);
