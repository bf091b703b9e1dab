import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useDeleteAccount } from '#web/api/profile.ts';
import { useForgetSession } from '#web/features/auth/sign-out.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

type DeleteAccountDialogProps = { email: string; opened: boolean; onClose: () => void };

/** Asks for the account's address, so that nobody deletes an account by a slip. */
export function DeleteAccountDialog({ email, opened, onClose }: DeleteAccountDialogProps) {
  const { mutateAsync, isPending } = useDeleteAccount();
  const forgetSession = useForgetSession();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (typed.trim().toLowerCase() !== email) return setProblem(`Type ${email}`);
    try {
      await mutateAsync(typed);
      notifySuccess('Account deleted', 'You are signed out everywhere.');
      await forgetSession();
    } catch (error) {
      notifyFailure('Error deleting your account', error);
    }
  };

  return (
    <Dialog title="Delete your account?" opened={opened} onClose={onClose} width={460}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Stack gap={16}>
          <span>This cannot be undone.</span>
          <TextInput
            label={`Type ${email} to confirm`}
            autoComplete="off"
            value={typed}
            error={problem}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setProblem(null);
            }}
            data-autofocus
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={isPending}>
              Delete account
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
