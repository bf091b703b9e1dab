import { Box, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { AccountDeletion } from '#contract/profile.ts';
import { useAccountDeletion, useProfile } from '#web/api/profile.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import prose from '#web/ui/prose.module.css';
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
              <p className={prose.dimParagraph}>The account of the demo cannot be deleted by hand.</p>
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

function Blocking({ workspaces }: { workspaces: AccountDeletion['blocking'] }) {
  const { data: known = [] } = useQuery(workspacesQuery);
  /** When it was created, if only that tells it from another one. */
  const createdAt = ({ id, name }: { id: string; name: string }) =>
    workspaces.filter((other) => other.name === name).length > 1
      ? known.find((workspace) => workspace.id === id)?.created_at
      : undefined;
  // Nobody can change it meanwhile.
  const isSuspended = (id: string) => known.some((workspace) => workspace.id === id && workspace.suspended_at !== null);
  return (
    <>
      <p className={prose.dimParagraph}>You are the only owner of these workspaces. Before you delete your account:</p>
      <Box component="ul" m={0} pl={20} className={prose.breaks}>
        {workspaces.map((workspace) => {
          const { id, name, other_members: others } = workspace;
          const created = createdAt(workspace);
          return (
            <li key={id}>
              {others > 0 ? 'Transfer or delete ' : 'Delete '}
              <TextLink to="/admin/workspace/$workspaceId/manage" params={{ workspaceId: id }}>
                {name}
              </TextLink>
              {created !== undefined && (
                <>
                  , created <InstantText at={created} show="second" />
                </>
              )}
              {isSuspended(id) && ', once an administrator of this installation has lifted its suspension'}
              {others > 0 && `, which has ${others === 1 ? 'one other member' : `${others} other members`}`}
            </li>
          );
        })}
      </Box>
    </>
  );
}

function Deletable({ email }: { email: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { data: known = [] } = useQuery(workspacesQuery);
  const ending = known.filter(({ role, delete_after: end }) => role === 'owner' && end !== null);
  return (
    <>
      <p className={prose.dimParagraph}>
        Your account is deleted for good, and you are signed out everywhere. Reminders, templates and contacts that you
        wrote stay in their workspaces. Their audit logs keep what you did there for 400 days.
      </p>
      {ending.map(({ id, name, delete_after: end }) => (
        <p key={id} className={prose.dimParagraph}>
          {name} is being deleted. Without your account nobody can restore it until {end && <InstantText at={end} />}:
          restore it now and hand it over, if it is still needed.
        </p>
      ))}
      <div>
        <Button variant="light" color="red" onClick={open}>
          Delete account
        </Button>
      </div>
      <DeleteAccountDialog email={email} opened={isOpen} onClose={close} />
    </>
  );
}
