import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useGoneWorkspaces } from '#web/api/admin-logs.ts';
import classes from '#web/features/admin/admin.module.css';
import { AdminList } from '#web/features/admin/AdminList.tsx';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';

/** The workspaces that were deleted for good, whose audit log only administrators can still read. */
export function GoneWorkspaces() {
  const { change } = useAdminSearch();
  const found = useGoneWorkspaces();
  return (
    <AdminList
      noun="deleted workspaces"
      of={found}
      empty={{
        icon: IconTrash,
        title: 'No workspace was deleted for good',
        sentence: 'The audit log of one that is gone stays readable here.',
      }}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Workspace', cell: ({ name }) => <span className={classes.name}>{name ?? 'Unknown'}</span> },
        {
          title: 'Deleted for good',
          width: 'moment',
          cell: ({ deleted_at: at }) => <InstantText at={at} show="second" />,
        },
        {
          title: 'Audit log',
          width: 'links',
          cell: ({ id, name }) => (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Read the audit log of ${name ?? 'the workspace'}`}
              onClick={() => change({ log: 'audit', workspace: id })}
            >
              Read
            </Button>
          ),
        },
      ]}
    >
      {(workspaces) => <LoadMore of={found}>{workspaces.length.toLocaleString('en')} shown</LoadMore>}
    </AdminList>
  );
}
