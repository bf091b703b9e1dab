import { ActionIcon, Menu } from '@mantine/core';
import { IconDotsVertical, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useRef } from 'react';
import { useRemindersSearch } from '#web/features/reminders/reminders-search.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { useActOnAll } from './act-on-all.ts';
import { useAllPaused } from './use-all-paused.ts';

/** What can be done with all reminders at once; for owners and administrators. */
export function AllRemindersMenu() {
  const { role } = useWorkspace().workspace;
  const { change } = useRemindersSearch();
  const { resume } = useActOnAll();
  const isPaused = useAllPaused() !== null;
  const button = useRef<HTMLButtonElement>(null);
  if (role === 'member') return null;
  const ask = () => {
    // The dialog returns the focus here, and the menu item will be unmounted by then.
    button.current?.focus();
    change({ pause: 'all' });
  };
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <ActionIcon ref={button} variant="default" size={36} flex="none" aria-label="Actions for all reminders">
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={ask}>
          Pause all until…
        </Menu.Item>
        {isPaused && (
          <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => void resume()}>
            Resume all now
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
