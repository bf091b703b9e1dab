import { ActionIcon, Menu } from '@mantine/core';
import { IconDotsVertical, IconHistory, IconLink } from '@tabler/icons-react';
import { useRef } from 'react';

type TemplateMenuProps = { name: string; onAsk: (to: 'versions' | 'uses') => void };

/** Less frequent actions: show versions, show uses. */
export function TemplateMenu({ name, onAsk }: TemplateMenuProps) {
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
