import { Box, Combobox, Text, useCombobox } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconPlus, IconSettings } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { rememberWorkspace } from '#web/api/current-workspace.ts';
import { notifySuccess } from '#web/ui/notify.tsx';
import { useEver } from '#web/ui/use-ever.ts';
import { WorkspaceButton, WorkspaceMark } from './WorkspaceButton.tsx';
import { useWorkspace } from './WorkspaceProvider.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './WorkspaceSwitcher.module.css';

const CreateWorkspaceDialog = lazy(() => import('./CreateWorkspaceDialog.tsx'));
const createValue = 'create';
const manageValue = 'manage';

/** The searchable list of workspaces, and Create Workspace. The menu opens when it mounts. */
export default function WorkspaceMenu() {
  const { workspace, workspaces } = useWorkspace();
  const [search, setSearch] = useState('');
  const [isCreating, creating] = useDisclosure(false);
  const navigate = useNavigate();
  const combobox = useCombobox({
    defaultOpened: true,
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
  });
  const { focusSearchInput } = combobox;
  useEffect(() => focusSearchInput(), [focusSearchInput]);

  const choose = (value: string) => {
    combobox.closeDropdown();
    if (value === createValue) creating.open();
    else if (value === manageValue)
      void navigate({ to: '/admin/workspace/$workspaceId/manage', params: { workspaceId: workspace.id } });
    else switchTo(workspaces.find(({ id }) => id === value));
  };
  const switchTo = (chosen: Workspace | undefined) => {
    if (!chosen || chosen.id === workspace.id) return;
    rememberWorkspace(chosen.id);
    notifySuccess('Workspace switched', `Now working in ${chosen.name}`, { about: 'workspace' });
  };

  return (
    <>
      <Combobox store={combobox} onOptionSubmit={choose} width={280} position="bottom-end">
        <Combobox.Target targetType="button">
          <WorkspaceButton workspace={workspace} onClick={() => combobox.toggleDropdown()} />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Search
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            placeholder="Search workspaces..."
            aria-label="Search workspaces"
          />
          <Combobox.Options aria-label="Workspaces">
            <div className={classes.list}>
              <WorkspaceOptions {...{ workspaces, search, currentId: workspace.id }} />
            </div>
            <Box mt={4} pt={4} className={prose.lineAbove}>
              <Combobox.Option value={manageValue}>
                <span className={classes.option}>
                  <IconSettings size={16} aria-hidden />
                  Manage Workspace
                </span>
              </Combobox.Option>
              <Combobox.Option value={createValue}>
                <span className={classes.option}>
                  <IconPlus size={16} aria-hidden />
                  Create Workspace
                </span>
              </Combobox.Option>
            </Box>
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Suspense>
        {useEver(isCreating) && <CreateWorkspaceDialog opened={isCreating} onClose={creating.close} />}
      </Suspense>
    </>
  );
}

function WorkspaceOptions(props: { workspaces: Workspace[]; search: string; currentId: string }) {
  const wanted = props.search.trim().toLowerCase();
  const found = props.workspaces.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (found.length === 0) return <Combobox.Empty>No workspaces found</Combobox.Empty>;
  return found.map((workspace) => {
    const { id, name, role, delete_after: deleteAfter, suspended_at: suspendedAt } = workspace;
    return (
      <Combobox.Option key={id} value={id} active={id === props.currentId}>
        <span className={classes.option}>
          <WorkspaceMark workspace={workspace} />
          <span className={prose.lines}>
            <span className={prose.oneLine} title={name}>
              {name}
            </span>
            <Text span fz="xs" lh="1rem" c="dimmed" tt="capitalize">
              {deleteAfter !== null ? 'being deleted' : suspendedAt !== null ? 'suspended' : role}
            </Text>
          </span>
          {id === props.currentId && <IconCheck size={16} aria-label="current" />}
        </span>
      </Combobox.Option>
    );
  });
}
