import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core';
import { IconDotsVertical, type IconProps } from '@tabler/icons-react';
import { type ComponentType, useRef } from 'react';

export type MenuAct = {
  label: string;
  icon: ComponentType<IconProps>;
  /** `bad` for what removes something. */
  tone?: 'bad';
  onChoose: () => unknown;
};

type ActionsMenuProps = ActionIconProps & {
  label: string;
  /** In px. */
  width: number;
  /** The size of the three dots, in px. */
  dots?: number;
  acts: readonly MenuAct[];
};

/** A button of three dots, and the acts that it offers; nothing where there are none. */
export function ActionsMenu({ label, width, dots = 18, acts, ...look }: ActionsMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  if (acts.length === 0) return null;
  return (
    <Menu position="bottom-end" width={width}>
      <Menu.Target>
        <ActionIcon ref={button} aria-label={label} {...look}>
          <IconDotsVertical size={dots} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map(({ label: name, icon: Icon, tone, onChoose }) => (
          <Menu.Item
            key={name}
            {...(tone && { color: `var(--status-${tone})` })}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => {
              // A dialog returns the focus to the element that had it, and the menu item will be unmounted by then.
              button.current?.focus();
              void onChoose();
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
