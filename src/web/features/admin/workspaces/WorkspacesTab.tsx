import { Card } from '@mantine/core';
import { IconBuildingOff } from '@tabler/icons-react';
import type { AdminScope } from '#contract/admin-overview.ts';
import { useAdministeredWorkspaces } from '#web/api/admin-workspaces.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import classes from '#web/features/admin/admin.module.css';
import { RowsSkeleton } from '#web/features/admin/RowsSkeleton.tsx';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { WorkspaceTable } from './WorkspaceTable.tsx';

const failed = 'Error loading workspaces';

/** The workspaces, newest first. Each opens its own screens in a new window. */
export default function WorkspacesTab({ scope }: { scope: AdminScope }) {
  const { search, change } = useAdminSearch();
  const found = useAdministeredWorkspaces(search.search ?? '');
  useErrorToast(found.error, { title: failed });
  return (
    <div className={classes.tab}>
      <search className={classes.filters}>
        <SearchBox
          className={classes.search}
          label="Search workspaces"
          value={search.search ?? ''}
          onSearch={(text) => change({ search: text || undefined })}
        />
      </search>
      <Card
        padding={0}
        component="section"
        aria-label="Workspaces"
        aria-busy={found.isPending || found.isPlaceholderData}
      >
        {found.isPending ? (
          <RowsSkeleton label="Loading workspaces" />
        ) : !found.data ? (
          <ErrorState
            title={failed}
            error={found.error}
            onRetry={() => void found.refetch()}
            isRetrying={found.isFetching}
          />
        ) : found.data.length === 0 ? (
          <EmptyState
            icon={IconBuildingOff}
            title="No workspaces found"
            sentence={
              search.search === undefined && scope === 'workspaces'
                ? 'You own or administer no workspace.'
                : 'No workspace has these words in its name or description.'
            }
          />
        ) : (
          <>
            <WorkspaceTable
              workspaces={found.data}
              mayAct={scope === 'installation'}
              isStale={found.isPlaceholderData}
            />
            <LoadMore of={found}>{found.data.length.toLocaleString('en')} shown, newest first</LoadMore>
          </>
        )}
      </Card>
    </div>
  );
}
