import {
  IconBolt,
  IconCalendarEvent,
  IconClockPause,
  IconCopy,
  IconFlask,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { ActionsMenu, type MenuAct } from '#web/ui/ActionsMenu.tsx';
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
export const ReminderMenu = ({ reminder, acts, hasAll = false, isButton = false }: ReminderMenuProps) => (
  <ActionsMenu
    label={`More actions for ${reminder.name}`}
    width={180}
    dots={16}
    {...(isButton ? button36 : inHead)}
    acts={[...(hasAll ? commonActs(reminder, acts) : []), ...rareActs(reminder, acts)]}
  />
);

const commonActs = (reminder: ActedOn, acts: ReminderActs): MenuAct[] => [
  { label: 'Edit', icon: IconPencil, onChoose: () => acts.edit(reminder) },
  { label: 'Test', icon: IconFlask, onChoose: () => acts.test(reminder) },
  ...(reminder.is_done ? [] : [toggling(reminder, acts)]),
  { label: 'Schedule details', icon: IconCalendarEvent, onChoose: () => acts.showSchedule(reminder) },
];

const toggling = (reminder: ActedOn, acts: ReminderActs): MenuAct =>
  reminder.status === 'active'
    ? { label: 'Pause', icon: IconPlayerPause, onChoose: () => acts.toggle(reminder) }
    : { label: 'Resume', icon: IconPlayerPlay, onChoose: () => acts.toggle(reminder) };

function rareActs(reminder: ActedOn, acts: ReminderActs): MenuAct[] {
  const testEvent = { label: 'Send a test event…', icon: IconBolt, onChoose: () => acts.testEvent(reminder) };
  const pause = { label: 'Pause until…', icon: IconClockPause, onChoose: () => acts.pauseUntil(reminder) };
  return [
    ...(reminder.schedule_config.type === 'event-based' ? [testEvent] : []),
    ...(reminder.status === 'draft' || reminder.is_done ? [] : [pause]),
    { label: 'Duplicate', icon: IconCopy, onChoose: () => acts.duplicate(reminder) },
    { label: 'Delete', icon: IconTrash, tone: 'bad', onChoose: () => acts.remove(reminder) },
  ];
}
