import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Account, EmailChangeInput } from '#contract/account.ts';
import { useChangeEmail } from '#web/api/account.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { atFields, fieldErrors } from '#web/ui/field-errors.ts';
import { act } from '#web/ui/act.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

type ChangeEmailDialogProps = { account: Account; opened: boolean; onClose: () => void };

/** Asks for the new address. */
export function ChangeEmailDialog({ account, opened, onClose }: ChangeEmailDialogProps) {
  const { mutateAsync, isPending } = useChangeEmail();
  const [email, setEmail] = useState('');
  const [problems, setProblems] = useState<Record<string, string>>({});

  const submit = useSubmit(async () => {
    const parsed = EmailChangeInput.safeParse({ email });
    if (!parsed.success) return setProblems(fieldErrors(parsed.error.issues));
    const isSent = await act(mutateAsync(parsed.data), {
      done: ({ sent_to: to }) => [
        'Check your new mailbox',
        `Your address changes once you follow the link that we sent to ${to}.`,
      ],
      failed: 'Error changing your email',
      refused: atFields(setProblems),
    });
    if (isSent) onClose();
  });

  return (
    <Dialog title="Change your email" opened={opened} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack gap={16}>
          <span>
            We send a link to the new address. You go on signing in with {account.email} until you follow it in this
            browser, or in another one where you are signed in.
          </span>
          <TextInput
            label="New email"
            type="email"
            autoComplete="email"
            placeholder="you@company.com"
            maxLength={320}
            value={email}
            error={problems.email}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              setProblems({});
            }}
            data-autofocus
          />
          <FormButtons onCancel={onClose} isBusy={isPending}>
            Send the link
          </FormButtons>
        </Stack>
      </form>
    </Dialog>
  );
}
