import { ActionIcon, Menu } from '@mantine/core';
import {
  IconBolt,
  IconCalendarEvent,
  IconClockPause,
  IconCopy,
  IconDotsVertical,
  IconFlask,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { useRef } from 'react';
import type { ActedOn, ReminderActs } from './act-on-reminder.ts';

type ReminderMenuProps = {
  reminder: ActedOn;
  acts: ReminderActs;
  /** For rows without buttons of their own. */
  hasAll?: boolean;
  /** Beside other buttons of this size. */
  isButton?: boolean;
};

const button36 = { variant: 'default', size: 36, flex: 'none' };
const inHead = { variant: 'subtle', color: 'gray', size: 28, mr: -8, my: -2 };

/** Rare and destructive actions; in a table row all actions. */
export function ReminderMenu({ reminder, acts, hasAll = false, isButton = false }: ReminderMenuProps) {
  const isActive = reminder.status === 'active';
  const ToggleIcon = isActive ? IconPlayerPause : IconPlayerPlay;
  const button = useRef<HTMLButtonElement>(null);
  const choose = (act: (of: ActedOn) => unknown) => () => {
    // A dialog returns the focus to the element that had it, and the menu item will be unmounted by then.
    button.current?.focus();
    void act(reminder);
  };
  return (
    <Menu position="bottom-end" width={180} withinPortal>
      <Menu.Target>
        <ActionIcon ref={button} {...(isButton ? button36 : inHead)} aria-label={`More actions for ${reminder.name}`}>
          <IconDotsVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {hasAll && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={choose(acts.edit)}>
              Edit
            </Menu.Item>
            <Menu.Item leftSection={<IconFlask size={16} aria-hidden />} onClick={choose(acts.test)}>
              Test
            </Menu.Item>
            <Menu.Item leftSection={<ToggleIcon size={16} aria-hidden />} onClick={choose(acts.toggle)}>
              {isActive ? 'Pause' : 'Resume'}
            </Menu.Item>
            <Menu.Item leftSection={<IconCalendarEvent size={16} aria-hidden />} onClick={choose(acts.showSchedule)}>
              Schedule details
            </Menu.Item>
          </>
        )}
        {reminder.schedule_config.type === 'event-based' && (
          <Menu.Item leftSection={<IconBolt size={16} aria-hidden />} onClick={choose(acts.testEvent)}>
            Send a test event…
          </Menu.Item>
        )}
        {reminder.status !== 'draft' && (
          <Menu.Item leftSection={<IconClockPause size={16} aria-hidden />} onClick={choose(acts.pauseUntil)}>
            Pause until…
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={choose(acts.duplicate)}>
          Duplicate
        </Menu.Item>
        <Menu.Item
          color="var(--status-bad)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={choose(acts.remove)}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
