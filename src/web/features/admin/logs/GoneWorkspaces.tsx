import { Button, Card } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useGoneWorkspaces } from '#web/api/admin-logs.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import classes from '#web/features/admin/admin.module.css';
import { RowsSkeleton } from '#web/features/admin/RowsSkeleton.tsx';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';

const failed = 'Error loading deleted workspaces';

/** The workspaces that were deleted for good, whose audit log only administrators can still read. */
export function GoneWorkspaces() {
  const { change } = useAdminSearch();
  const found = useGoneWorkspaces();
  useErrorToast(found.error, { title: failed });
  return (
    <Card padding={0} component="section" aria-label="Deleted workspaces" aria-busy={found.isPending}>
      {found.isPending ? (
        <RowsSkeleton label="Loading deleted workspaces" />
      ) : !found.data ? (
        <ErrorState
          title={failed}
          error={found.error}
          onRetry={() => void found.refetch()}
          isRetrying={found.isFetching}
        />
      ) : found.data.length === 0 ? (
        <EmptyState
          icon={IconTrash}
          title="No workspace was deleted for good"
          sentence="The audit log of one that is gone stays readable here."
        />
      ) : (
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
              {found.data.map(({ id, name, deleted_at: at }) => (
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
          <LoadMore of={found}>{found.data.length.toLocaleString('en')} shown</LoadMore>
        </>
      )}
    </Card>
  );
}
