import { VisuallyHidden } from '@mantine/core';
import { IconBan, IconCheck, IconMailQuestion, IconShieldLock } from '@tabler/icons-react';
import type { AdminPerson } from '#contract/admin-people.ts';
import type { PersonAct } from '#web/api/admin-people.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import classes from '#web/features/admin/admin.module.css';
import { UserMenu } from './UserMenu.tsx';

type UserTableProps = {
  people: readonly AdminPerson[];
  /** The viewer. */
  userId: string | undefined;
  isStale: boolean;
  onAct: (person: AdminPerson, act: PersonAct) => void;
};

/** On a phone each row becomes a few lines. */
export const UserTable = ({ people, userId, isStale, onAct }: UserTableProps) => (
  <table className={classes.table} data-stale={isStale || undefined}>
    <thead>
      <tr>
        <th>User</th>
        <th className={classes.status}>Status</th>
        <th className={classes.wide}>Workspaces</th>
        <th className={`${classes.day} ${classes.wide}`}>Joined</th>
        <th className={classes.menu}>
          <VisuallyHidden>Actions</VisuallyHidden>
        </th>
      </tr>
    </thead>
    <tbody>
      {people.map((person) => (
        <tr key={person.id}>
          <td className={classes.main}>
            <span className={classes.cell}>
              <span className={classes.name}>
                {person.full_name || 'Unknown'}
                {person.id === userId && ' (you)'}
              </span>
              <span className={classes.quiet}>{person.email}</span>
              <span className={`${classes.quiet} ${classes.phone}`}>
                {membershipText(person)}, joined <InstantText at={person.created_at} show="day" />
              </span>
            </span>
          </td>
          <td className={`${classes.status} ${classes.full}`}>
            <Status person={person} />
          </td>
          <td className={classes.wide}>
            <span className={classes.cell}>
              {person.memberships.slice(0, 3).map(({ workspace_id: id, workspace, role }) => (
                <span key={id}>
                  {workspace} <span className={classes.quiet}>({role})</span>
                </span>
              ))}
              {person.membership_count === 0 && <span className={classes.quiet}>None</span>}
              {person.membership_count > 3 && (
                <span className={classes.quiet}>and {(person.membership_count - 3).toLocaleString('en')} more</span>
              )}
            </span>
          </td>
          <td className={`${classes.day} ${classes.wide}`}>
            <InstantText at={person.created_at} show="day" />
          </td>
          <td className={classes.menu}>
            <UserMenu person={person} isSelf={person.id === userId} onAct={(act) => onAct(person, act)} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const membershipText = ({ membership_count: count }: AdminPerson) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'workspace' : 'workspaces'}`;

/** Whether the person may sign in, is signed in, and administers the installation. */
function Status({ person }: { person: AdminPerson }) {
  return (
    <span className={classes.cell}>
      <span className={classes.badges}>
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
      <span className={classes.quiet}>
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
