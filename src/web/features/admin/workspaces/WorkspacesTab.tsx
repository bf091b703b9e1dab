import { Button } from '@mantine/core';
import { IconBuildingOff } from '@tabler/icons-react';
import type { AdminScope } from '#contract/admin-overview.ts';
import { useAdministeredWorkspaces } from '#web/api/admin-workspaces.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from '#web/features/admin/admin.module.css';
import { RowsSkeleton } from '#web/features/admin/RowsSkeleton.tsx';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { WorkspaceTable } from './WorkspaceTable.tsx';

const failed = 'Error loading workspaces';

/** The workspaces, newest first. Each opens its own screens in a new window. */
export default function WorkspacesTab({ scope }: { scope: AdminScope }) {
  const { search, change } = useAdminSearch();
  const found = useAdministeredWorkspaces(search.search ?? '');
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
          search.search === undefined ? (
            <EmptyState
              icon={IconBuildingOff}
              title="No workspaces yet"
              sentence={
                scope === 'workspaces' ? 'You own or administer no workspace.' : 'Nobody has created a workspace.'
              }
              action={<ButtonLink to="/dashboard">Go to the dashboard</ButtonLink>}
            />
          ) : (
            <EmptyState
              icon={IconBuildingOff}
              title="No workspaces found"
              sentence="No workspace has these words in its name or description."
              action={
                <Button variant="default" onClick={() => change({ search: undefined })}>
                  Show all workspaces
                </Button>
              }
            />
          )
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
