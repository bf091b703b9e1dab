import { Box, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Account } from '#contract/account.ts';
import { useAccount, useCancelEmailChange } from '#web/api/account.ts';
import { requestReset } from '#web/api/sign-in.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { ChangeEmailDialog } from '#web/features/account/ChangeEmailDialog.tsx';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';
import { ChangePasswordDialog } from '#web/features/account/ChangePasswordDialog.tsx';
import { act } from '#web/ui/act.ts';

/** What the person signs in with. */
export function EmailAndPassword() {
  const account = useAccount();
  return (
    <RecordSection title="Email and password">
      <Loaded of={account} failed="Error loading your account">
        {(known) => <Rows account={known} />}
      </Loaded>
    </RecordSection>
  );
}

function Rows({ account }: { account: Account }) {
  const { email, email_change: change, is_demo: isDemo, has_password: hasPassword } = account;
  const { state, open, dialog: shown } = useDialogState<'email' | 'password'>();
  const { asked, openCount } = state;
  const dialog = { account, ...shown };
  const link = useMutation({
    mutationFn: () => requestReset(email),
    onSuccess: () => notifySuccess('Check your email', `A link by which you set a password was sent to ${email}.`),
    onError: (error) => notifyFailure('Error sending the link', error),
  });
  return (
    <>
      <div className={list.entry}>
        <div className={list.words}>
          <strong>Email</strong>
          <span className={prose.note}>{email}</span>
        </div>
        {!isDemo && (
          <Button variant="default" size="sm" onClick={() => open('email')}>
            Change email
          </Button>
        )}
      </div>
      {change !== null && <Pending email={change.email} until={change.expires_at} />}
      <div className={list.entry}>
        <div className={list.words}>
          <strong>Password</strong>
          <span className={prose.note}>
            {hasPassword ? 'A change signs every other browser out.' : 'You have none: you sign in with Google.'}
          </span>
        </div>
        {!isDemo && hasPassword && (
          <Button variant="default" size="sm" onClick={() => open('password')}>
            Change password
          </Button>
        )}
        {!isDemo && !hasPassword && (
          <Button variant="default" size="sm" loading={link.isPending} onClick={() => link.mutate()}>
            Mail me a link to set one
          </Button>
        )}
      </div>
      {isDemo && (
        <Text p="12px var(--gutter) 16px" fz={13} c="dimmed" className={prose.lineAbove}>
          The account of the demo keeps its address, and has no password.
        </Text>
      )}
      {asked === 'email' && <ChangeEmailDialog key={openCount} {...dialog} />}
      {asked === 'password' && <ChangePasswordDialog key={openCount} {...dialog} />}
    </>
  );
}

function Pending({ email, until }: { email: string; until: string }) {
  const cancel = useCancelEmailChange();
  return (
    <div className={list.entry} role="status">
      <Box component="span" flex="1 1 220px" miw={0} c="var(--status-waiting)" className={prose.breaks}>
        {email} waits to be confirmed, by the link in the mail to it, until <InstantText at={until} />. Until then
        nothing changes.
      </Box>
      <Button
        variant="default"
        size="sm"
        loading={cancel.isPending}
        onClick={() => void act(cancel.mutateAsync(), { failed: 'Error cancelling the change' })}
      >
        Cancel the change
      </Button>
    </div>
  );
}
