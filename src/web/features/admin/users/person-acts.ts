import type { AdminPerson } from '#contract/admin-people.ts';
import type { PersonAct } from '#web/api/admin-people.ts';

export type PersonActWords = {
  label: string;
  /** Title and sentence of the confirmation; null for acts that need none. */
  question: { title: (name: string) => string; sentence: (person: AdminPerson) => string } | null;
  /** The title of the toast. */
  done: string;
  outcome: (person: AdminPerson) => string;
  failed: string;
};

export const nameOf = ({ full_name: name, email }: AdminPerson) => name || email;

/** What an administrator can do, in words. */
export const personActs: Record<PersonAct, PersonActWords> = {
  verify: {
    label: 'Verify email address',
    question: {
      title: (name) => `Verify the email address of ${name}?`,
      sentence: ({ email }) =>
        `${email} counts as confirmed, as if its owner had opened the link in the mail. If ADMIN_EMAILS names it, whoever has the account administers this installation from then on.`,
    },
    done: 'Address verified',
    outcome: ({ email }) => `${email} counts as confirmed.`,
    failed: 'Error verifying the address',
  },
  signOut: {
    label: 'Sign out everywhere',
    question: {
      title: (name) => `Sign out ${name} everywhere?`,
      sentence: (person) =>
        `${nameOf(person)} is signed out in every browser, and links that were mailed to them no longer work. They can sign in again.`,
    },
    done: 'Signed out everywhere',
    outcome: (person) => `${nameOf(person)} has to sign in again.`,
    failed: 'Error signing out the user',
  },
  makeAdministrator: {
    label: 'Make administrator',
    question: {
      title: (name) => `Make ${name} an administrator?`,
      sentence: (person) =>
        `${nameOf(person)} will see every workspace, and can suspend people and change settings of the installation, as you can.`,
    },
    done: 'Administrator made',
    outcome: (person) => `${nameOf(person)} administers this installation now.`,
    failed: 'Error making an administrator',
  },
  removeAdministrator: {
    label: 'Remove as administrator',
    question: {
      title: (name) => `Remove ${name} as administrator?`,
      sentence: (person) => `${nameOf(person)} will see only the workspaces that they belong to.`,
    },
    done: 'Administrator removed',
    outcome: (person) => `${nameOf(person)} no longer administers this installation.`,
    failed: 'Error removing the administrator',
  },
  suspend: {
    label: 'Suspend',
    question: {
      title: (name) => `Suspend ${name}?`,
      sentence: (person) =>
        `${nameOf(person)} is signed out everywhere and cannot sign in until you lift the suspension. Their workspaces go on sending.${
          person.api_keys === 0
            ? ''
            : ` ${person.api_keys === 1 ? 'Their API key ends' : `Their ${person.api_keys} API keys end`} for good.`
        }`,
    },
    done: 'User suspended',
    outcome: (person) => `${nameOf(person)} cannot sign in any more.`,
    failed: 'Error suspending the user',
  },
  liftSuspension: {
    label: 'Lift suspension',
    question: null,
    done: 'Suspension lifted',
    outcome: (person) => `${nameOf(person)} can sign in again.`,
    failed: 'Error lifting the suspension',
  },
};
