import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AccountDeletion } from '#contract/profile.ts';
import { useAccountDeletion, useProfile } from '#web/api/profile.ts';
import { TextLink } from '#web/ui/links.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/features/account/account-form.module.css';
import { DeleteAccountDialog } from '#web/features/account/DeleteAccountDialog.tsx';

/** Deletes the account, or says what has to be done before. */
export function DeleteAccount() {
  const deletion = useAccountDeletion();
  const profile = useProfile().data;
  return (
    <RecordSection title="Delete account">
      <Loaded of={deletion} failed="Error loading what keeps your account">
        {({ blocking }) => (
          <div className={classes.form}>
            {profile?.is_demo ? (
              <p className={classes.note}>Everybody who opens the demo shares this account, so it cannot be deleted.</p>
            ) : blocking.length > 0 ? (
              <Blocking workspaces={blocking} />
            ) : (
              <Deletable email={profile?.email ?? ''} />
            )}
          </div>
        )}
      </Loaded>
    </RecordSection>
  );
}

const Blocking = ({ workspaces }: { workspaces: AccountDeletion['blocking'] }) => (
  <>
    <p className={classes.note}>You are the only owner of these workspaces. Before you delete your account:</p>
    <ul className={classes.workspaces}>
      {workspaces.map(({ id, name, other_members: others }) => (
        <li key={id}>
          {others > 0 ? 'Transfer or delete ' : 'Delete '}
          <TextLink to="/admin/workspace/$workspaceId/manage" params={{ workspaceId: id }}>
            {name}
          </TextLink>
          {others > 0 && `, which has ${others === 1 ? 'one other member' : `${others} other members`}`}
        </li>
      ))}
    </ul>
  </>
);

function Deletable({ email }: { email: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <p className={classes.note}>
        Your account is deleted for good, and you are signed out everywhere. Reminders, templates and contacts that you
        wrote stay in their workspaces. Their audit logs keep what you did there for 400 days.
      </p>
      <div>
        <Button variant="light" color="red" onClick={open}>
          Delete account
        </Button>
      </div>
      <DeleteAccountDialog email={email} opened={isOpen} onClose={close} />
    </>
  );
}
