import '@mantine/core/styles/PasswordInput.layer.css';
import { PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Account } from '#contract/account.ts';
import { useChangePassword } from '#web/api/account.ts';
import { tooShortText } from '#web/features/auth/auth-texts.ts';
import { useMinPasswordLength } from '#web/features/auth/password/min-length.ts';
import { NewPasswordInput } from '#web/features/auth/password/NewPasswordInput.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { atFields } from '#web/ui/field-errors.ts';
import { act } from '#web/ui/act.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

type ChangePasswordDialogProps = { account: Account; opened: boolean; onClose: () => void };

/** Asks for the current password and a new one. */
export function ChangePasswordDialog({ account, opened, onClose }: ChangePasswordDialogProps) {
  const { mutateAsync, isPending } = useChangePassword();
  const minLength = useMinPasswordLength();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<Record<string, string>>({});

  const refuse = (found: Record<string, string>) => {
    setProblems(found);
    setTimeout(() => document.querySelector<HTMLElement>('[role=dialog] [aria-invalid=true]')?.focus());
  };

  const submit = useSubmit(async () => {
    if (current === '') return refuse({ current_password: 'Enter your password' });
    if (password.length < minLength) return refuse({ new_password: tooShortText(minLength) });
    const isChanged = await act(mutateAsync({ current_password: current, new_password: password }), {
      done: ['Password changed', 'Every other browser was signed out.'],
      failed: 'Error changing your password',
      refused: atFields(refuse),
    });
    if (isChanged) onClose();
  });

  return (
    <Dialog title="Change your password" opened={opened} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack gap={16}>
          <span>You stay signed in here; every other browser is signed out.</span>
          <input type="email" autoComplete="username" value={account.email} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            value={current}
            // Mantine leaves it out here.
            aria-invalid={problems.current_password ? true : undefined}
            error={problems.current_password}
            onChange={(event) => {
              setCurrent(event.currentTarget.value);
              setProblems({});
            }}
            data-autofocus
          />
          <NewPasswordInput
            label="New password"
            own={() => [account.email]}
            value={password}
            error={problems.new_password}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setProblems({});
            }}
          />
          <FormButtons onCancel={onClose} isBusy={isPending}>
            Change password
          </FormButtons>
        </Stack>
      </form>
    </Dialog>
  );
}
