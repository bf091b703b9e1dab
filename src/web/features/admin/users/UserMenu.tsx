import { ActionIcon, Menu } from '@mantine/core';
import {
  IconBan,
  IconDotsVertical,
  IconLogout,
  IconMailCheck,
  IconRotateClockwise,
  IconShieldOff,
  IconShieldPlus,
} from '@tabler/icons-react';
import { useRef } from 'react';
import type { AdminPerson } from '#contract/admin-people.ts';
import type { PersonAct } from '#web/api/admin-people.ts';
import { personActs } from './person-acts.ts';

const icons: Record<PersonAct, typeof IconBan> = {
  verify: IconMailCheck,
  signOut: IconLogout,
  makeAdministrator: IconShieldPlus,
  removeAdministrator: IconShieldOff,
  suspend: IconBan,
  liftSuspension: IconRotateClockwise,
};

/** The acts that change something for this person. Nobody suspends or demotes themself. */
const offered = (
  { email_verified, sessions, is_system_admin, suspended_at, is_demo }: AdminPerson,
  isSelf: boolean,
): PersonAct[] => {
  const acts: [PersonAct, boolean][] = [
    ['verify', !email_verified],
    ['signOut', sessions > 0 && !isSelf],
    ['makeAdministrator', !is_system_admin && !is_demo && suspended_at === null],
    ['removeAdministrator', is_system_admin && !isSelf],
    ['suspend', suspended_at === null && !is_demo && !isSelf],
    ['liftSuspension', suspended_at !== null],
  ];
  return acts.flatMap(([act, isOffered]) => (isOffered ? [act] : []));
};

type UserMenuProps = { person: AdminPerson; isSelf: boolean; onAct: (act: PersonAct) => void };

export function UserMenu({ person, isSelf, onAct }: UserMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const acts = offered(person, isSelf);
  if (acts.length === 0) return null;
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size={40}
          my={-4}
          mr={-8}
          aria-label={`Actions for ${person.full_name || person.email}`}
        >
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map((act) => {
          const Icon = icons[act];
          return (
            <Menu.Item
              key={act}
              leftSection={<Icon size={16} aria-hidden />}
              onClick={() => {
                // The dialog returns the focus to the element that had it, and the menu item will be unmounted by then.
                button.current?.focus();
                onAct(act);
              }}
            >
              {personActs[act].label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
