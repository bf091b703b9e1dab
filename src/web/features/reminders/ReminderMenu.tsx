import { ActionIcon, Menu } from '@mantine/core';
import { IconDotsVertical, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';

/** What is rarely needed, or dangerous. */
export function ReminderMenu({ name, onDelete }: { name: string; onDelete: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const askToDelete = () => {
    // The dialog gives the focus back to where it was, and the menu's item will be gone by then.
    button.current?.focus();
    onDelete();
  };
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size={28}
          mr={-8}
          my={-2}
          aria-label={`More actions for ${name}`}
        >
          <IconDotsVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item color="var(--status-bad)" leftSection={<IconTrash size={16} aria-hidden />} onClick={askToDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
