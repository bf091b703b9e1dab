import { ActionIcon, Menu } from '@mantine/core';
import { IconBell, IconDotsVertical, IconHistory, IconLink } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';

type TemplateMenuProps = { id: string; name: string; onAsk: (to: 'versions' | 'uses') => void };

/** Less frequent actions: create a reminder, show versions, show uses. */
export function TemplateMenu({ id, name, onAsk }: TemplateMenuProps) {
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const ask = (to: 'versions' | 'uses') => {
    // The dialog returns the focus to the element that had it, and the menu item will be unmounted by then.
    button.current?.focus();
    onAsk(to);
  };
  return (
    <Menu position="bottom-end" width={190}>
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
        <Menu.Item
          leftSection={<IconBell size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/reminders/new', search: { template: id } })}
        >
          Use in a reminder
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => ask('versions')}>
          Version history
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => ask('uses')}>
          Where it is used
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
