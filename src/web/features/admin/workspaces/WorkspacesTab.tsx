import { IconBuildingOff } from '@tabler/icons-react';
import type { AdminScope } from '#contract/admin-overview.ts';
import { useAdministeredWorkspaces } from '#web/api/admin-workspaces.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
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
      <ListCard
        label="Workspaces"
        of={found}
        failed={failed}
        skeleton={<RowsSkeleton label="Loading workspaces" />}
        empty={
          <EmptyState
            icon={IconBuildingOff}
            title="No workspaces found"
            sentence={
              search.search === undefined && scope === 'workspaces'
                ? 'You own or administer no workspace.'
                : 'No workspace has these words in its name or description.'
            }
          />
        }
      >
        {(rows) => (
          <>
            <WorkspaceTable workspaces={rows} mayAct={scope === 'installation'} isStale={found.isPlaceholderData} />
            <LoadMore of={found}>{rows.length.toLocaleString('en')} shown, newest first</LoadMore>
          </>
        )}
      </ListCard>
    </div>
  );
}
