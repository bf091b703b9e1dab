import { counted } from '#domain/in-words.ts';
import { IconBuildingOff } from '@tabler/icons-react';
import type { AdminScope } from '#contract/admin-overview.ts';
import type { AdminWorkspace } from '#contract/admin-workspaces.ts';
import { useAdministeredWorkspaces } from '#web/api/admin-workspaces.ts';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import type { Column } from '#web/ui/Table.tsx';
import list from '#web/ui/list.module.css';
import { ButtonLink } from '#web/ui/links.tsx';
import { demosChoice, useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import record from '#web/ui/record.module.css';
import { WorkspaceActs, WorkspaceStatus } from './WorkspaceActs.tsx';

/** The workspaces, newest first. Each opens its own screens in a new window. */
export default function WorkspacesTab({ scope }: { scope: AdminScope }) {
  const { change, ...search } = useAdminSearch();
  const found = useAdministeredWorkspaces({ search: search.search ?? '', demos: search.demos });
  return (
    <div className={record.column}>
      <FilterBar
        search={{ label: 'Search workspaces', value: search.search, onSearch: (text) => change({ search: text }) }}
        choices={scope === 'installation' ? [demosChoice(search.demos, change)] : []}
      />
      <List
        noun="workspaces"
        of={found}
        columns={scope === 'installation' ? [...columns, acts] : columns}
        extent={({ length }) => `${length.toLocaleString('en')} shown, newest first`}
        empty={{
          icon: IconBuildingOff,
          title: 'No workspaces yet',
          sentence: scope === 'workspaces' ? 'You own or administer no workspace.' : 'Nobody has created a workspace.',
          action: <ButtonLink to="/dashboard">Go to the dashboard</ButtonLink>,
        }}
        noMatch={
          (search.search !== undefined || search.demos !== undefined) && {
            icon: IconBuildingOff,
            title: 'No workspaces found',
            sentence:
              search.demos === 'only'
                ? 'No visitor tries the demo now.'
                : 'No workspace has these words in its name or description.',
            all: 'Show all workspaces',
            onShowAll: () => change({ search: undefined, demos: undefined }),
          }
        }
      />
    </div>
  );
}

const columns: readonly Column<AdminWorkspace>[] = [
  {
    title: 'Workspace',
    cell: ({ name, owner_email: owner, member_count: members, created_at: at }) => (
      <span className={list.cell}>
        <span className={list.name}>{name}</span>
        {owner !== null && <span className={list.note}>{owner}</span>}
        <span className={`${list.note} ${list.instead}`}>
          {counted(members, 'member')}, created <InstantText at={at} show="day" />
        </span>
      </span>
    ),
  },
  {
    title: 'Status',
    width: 'min(220px, 20vw)',
    narrow: 'line',
    cell: (workspace) => <WorkspaceStatus workspace={workspace} />,
  },
  {
    title: 'Members',
    width: 100,
    isNumber: true,
    narrow: 'wide',
    cell: ({ member_count: members }) => members.toLocaleString('en'),
  },
  { title: 'Created', width: 144, narrow: 'wide', cell: ({ created_at: at }) => <InstantText at={at} show="day" /> },
  {
    title: 'Screens',
    isUntitled: true,
    width: 'min(260px, 18.1vw)',
    narrow: 'line',
    cell: ({ id, name }) => (
      <span className={list.buttons}>
        <ButtonLink
          to="/admin/workspace/$workspaceId/manage"
          params={{ workspaceId: id }}
          target="_blank"
          size="compact-sm"
          variant="default"
          aria-label={`Manage ${name}, in a new window`}
        >
          Manage
        </ButtonLink>
        <ButtonLink
          to="/admin/workspace/$workspaceId/analytics"
          params={{ workspaceId: id }}
          target="_blank"
          size="compact-sm"
          variant="default"
          aria-label={`Analytics of ${name}, in a new window`}
        >
          Analytics
        </ButtonLink>
      </span>
    ),
  },
];

const acts: Column<AdminWorkspace> = {
  title: 'Actions',
  isUntitled: true,
  width: 64,
  narrow: 'corner',
  cell: (workspace) => <WorkspaceActs workspace={workspace} />,
};
