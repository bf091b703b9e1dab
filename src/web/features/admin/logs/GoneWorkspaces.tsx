import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useGoneWorkspaces } from '#web/api/admin-logs.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import classes from '#web/features/admin/admin.module.css';
import { RowsSkeleton } from '#web/features/admin/RowsSkeleton.tsx';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';

/** The workspaces that were deleted for good, whose audit log only administrators can still read. */
export function GoneWorkspaces() {
  const { change } = useAdminSearch();
  const found = useGoneWorkspaces();
  return (
    <ListCard
      label="Deleted workspaces"
      of={found}
      failed="Error loading deleted workspaces"
      skeleton={<RowsSkeleton label="Loading deleted workspaces" />}
      empty={
        <EmptyState
          icon={IconTrash}
          title="No workspace was deleted for good"
          sentence="The audit log of one that is gone stays readable here."
        />
      }
    >
      {(workspaces) => (
        <>
          <table className={classes.table}>
            <thead>
              <tr>
                <th>Workspace</th>
                <th className={classes.moment}>Deleted for good</th>
                <th className={classes.links}>Audit log</th>
              </tr>
            </thead>
            <tbody>
              {workspaces.map(({ id, name, deleted_at: at }) => (
                <tr key={id}>
                  <td className={`${classes.main} ${classes.name}`}>{name ?? 'Unknown'}</td>
                  <td className={classes.moment}>
                    <InstantText at={at} show="second" />
                  </td>
                  <td className={classes.links}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Read the audit log of ${name ?? 'the workspace'}`}
                      onClick={() => change({ log: 'audit', workspace: id })}
                    >
                      Read
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <LoadMore of={found}>{workspaces.length.toLocaleString('en')} shown</LoadMore>
        </>
      )}
    </ListCard>
  );
}
