import {
  IconBan,
  IconCheck,
  IconLogout,
  IconMailCheck,
  IconMailQuestion,
  IconRotateClockwise,
  IconShieldLock,
  IconShieldOff,
  IconShieldPlus,
  IconUserOff,
} from '@tabler/icons-react';
import { counted } from '#domain/in-words.ts';
import type { AdminPerson } from '#contract/admin-people.ts';
import { type PersonAct, useActOnPerson, usePeople } from '#web/api/admin-people.ts';
import { useSession } from '#web/api/session.ts';
import { demosChoice, useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { ActionsMenu } from '#web/ui/ActionsMenu.tsx';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { act } from '#web/ui/act.ts';
import list from '#web/ui/list.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import record from '#web/ui/record.module.css';
import { nameOf, personActs, type PersonActWords } from './person-acts.ts';

/** Everybody with an account, the ten newest first, and what an administrator can do for or against them. */
export default function UsersTab() {
  const { change, ...search } = useAdminSearch();
  const found = usePeople({ search: search.search ?? '', demos: search.demos });
  const userId = useSession()?.user.id;
  const { mutateAsync } = useActOnPerson();
  const { state, open, dialog } = useDialogState<{ person: AdminPerson; act: keyof typeof personActs }>();

  const perform = (person: AdminPerson, chosen: PersonAct) => mutateAsync({ act: chosen, id: person.id });

  const asked = state.asked;
  const words: PersonActWords | null = asked && personActs[asked.act];
  return (
    <div className={record.column}>
      <FilterBar
        search={{
          label: 'Search users by name or email',
          value: search.search,
          onSearch: (text) => change({ search: text }),
        }}
        choices={[demosChoice(search.demos, change)]}
      />
      <List
        noun="users"
        of={found}
        columns={columnsOf({
          userId,
          onAct: (person, chosen) =>
            personActs[chosen].question === null
              ? void act(perform(person, chosen), wordsOf(person, chosen))
              : open({ person, act: chosen }),
        })}
        extent={({ length }) => `${length.toLocaleString('en')} shown, newest first`}
        noMatch={{
          icon: IconUserOff,
          title: 'No users found',
          sentence:
            search.demos === 'only' ? 'No visitor tries the demo now.' : 'Nobody has this name or email address.',
          all: 'Show all users',
          onShowAll: () => change({ search: undefined, demos: undefined }),
        }}
      />
      {asked !== null && words !== null && words.question !== null && (
        <ActDialog
          key={state.openCount}
          title={words.question.title(nameOf(asked.person))}
          confirmLabel={words.label}
          {...dialog}
          run={() => perform(asked.person, asked.act)}
          {...wordsOf(asked.person, asked.act)}
        >
          <p>{words.question.sentence(asked.person)}</p>
        </ActDialog>
      )}
    </div>
  );
}

const wordsOf = (person: AdminPerson, chosen: PersonAct): { done: [string, string]; failed: string } => {
  const { done, outcome, failed } = personActs[chosen];
  return { done: [done, outcome(person)], failed };
};

type Shown = {
  /** The viewer. */
  userId: string | undefined;
  onAct: (person: AdminPerson, act: PersonAct) => void;
};

const columnsOf = ({ userId, onAct }: Shown): readonly Column<AdminPerson>[] => [
  {
    title: 'User',
    cell: (person) => (
      <span className={list.cell}>
        <span className={list.name}>
          {person.full_name || 'Unknown'}
          {person.id === userId && ' (you)'}
        </span>
        <span className={list.note}>{person.email}</span>
        <span className={`${list.note} ${list.instead}`}>
          {membershipText(person)}, joined <InstantText at={person.created_at} show="day" />
        </span>
      </span>
    ),
  },
  { title: 'Status', width: 'min(220px, 20vw)', narrow: 'line', cell: (person) => <Status person={person} /> },
  {
    title: 'Workspaces',
    narrow: 'wide',
    cell: ({ memberships, membership_count: count }) => (
      <span className={list.cell}>
        {memberships.slice(0, 3).map(({ workspace_id: id, workspace, role }) => (
          <span key={id}>
            {workspace} <span className={list.note}>({role})</span>
          </span>
        ))}
        {count === 0 && <span className={list.note}>None</span>}
        {count > 3 && <span className={list.note}>and {(count - 3).toLocaleString('en')} more</span>}
      </span>
    ),
  },
  {
    title: 'Joined',
    width: 144,
    narrow: 'wide',
    cell: ({ created_at: at }) => <InstantText at={at} show="day" />,
  },
  {
    title: 'Actions',
    isUntitled: true,
    width: 64,
    narrow: 'corner',
    cell: (person) => <UserMenu person={person} isSelf={person.id === userId} onAct={(act) => onAct(person, act)} />,
  },
];

const membershipText = ({ membership_count: count }: AdminPerson) => counted(count, 'workspace');

/** Whether the person may sign in, is signed in, and administers the installation. */
function Status({ person }: { person: AdminPerson }) {
  return (
    <span className={list.cell}>
      <span className={list.badges}>
        {person.suspended_at !== null ? (
          <ToneBadge word="Suspended" tone="bad" icon={IconBan} />
        ) : person.email_verified ? (
          <ToneBadge word="Active" tone="good" icon={IconCheck} />
        ) : (
          <ToneBadge word="Unverified" tone="waiting" icon={IconMailQuestion} />
        )}
        {person.is_system_admin && <ToneBadge word="Administrator" tone="moving" icon={IconShieldLock} />}
        {person.is_demo && <ToneBadge word="Demo" tone="quiet" />}
      </span>
      <span className={list.note}>
        {person.suspended_at !== null ? (
          <>
            since <InstantText at={person.suspended_at} show="day" />
          </>
        ) : person.last_seen_at === null ? (
          'Not signed in'
        ) : (
          <>
            Seen <RelativeTime at={person.last_seen_at} />
          </>
        )}
        {person.has_two_factor && ', with a second factor'}
      </span>
    </span>
  );
}

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

const UserMenu = ({ person, isSelf, onAct }: UserMenuProps) => (
  <ActionsMenu
    label={`Actions for ${person.full_name || person.email}`}
    width={230}
    variant="subtle"
    color="gray"
    size={40}
    my={-4}
    mr={-8}
    acts={offered(person, isSelf).map((act) => ({
      label: personActs[act].label,
      icon: icons[act],
      onChoose: () => onAct(act),
    }))}
  />
);
