import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SigningSecret } from '#contract/signing-secret.ts';
import { useSetHookSecret } from '#web/api/hooks.ts';
import { act } from '#web/ui/act.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { CommandText } from './CommandText.tsx';
import { hookCurl } from './hook-curl.ts';
import { newHookSecret } from './hook-secret.ts';
import prose from '#web/ui/prose.module.css';

type HookSecretDialogProps = {
  reminderId: string;
  url: string;
  isSigned: boolean;
  /** What the command sends. */
  data: Record<string, string>;
  opened: boolean;
  onClose: () => void;
};

/** Sets the secret of a hook, and then shows it for the only time. It stands within the form of a reminder, so it is no form itself. */
export function HookSecretDialog({ reminderId, url, isSigned, data, opened, onClose }: HookSecretDialogProps) {
  const [given, setGiven] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const save = useSetHookSecret(reminderId);
  const submit = async () => {
    const parsed = SigningSecret(200).safeParse(given.trim() || newHookSecret());
    if (!parsed.success) return setProblem(parsed.error.issues[0]?.message ?? 'is not a secret');
    if (await act(save.mutateAsync(parsed.data), { failed: 'Error setting the secret' })) setSecret(parsed.data);
  };
  const title = secret === null ? (isSigned ? 'Replace the secret?' : 'Require signatures?') : 'The secret of the hook';
  return (
    <Dialog title={title} opened={opened} onClose={onClose} width={640} mustAnswer={secret !== null}>
      {secret === null ? (
        <Stack gap={16}>
          <p className={prose.plain}>
            Calls must then be signed with a secret, as Standard Webhooks describes, and all others are refused
            {isSigned && ', also those with the secret of now'}.
          </p>
          <TextInput
            label="Secret of the sender"
            description="Leave it empty, and a new secret is made."
            value={given}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            error={problem}
            onChange={({ currentTarget }) => {
              setGiven(currentTarget.value);
              setProblem(null);
            }}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={save.isPending} onClick={() => void submit()}>
              {isSigned ? 'Replace secret' : 'Require signatures'}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap={16}>
          <p className={prose.plain} role="status">
            Only signed calls are accepted now. The secret is shown only this time: enter it at the sender.
          </p>
          <Copyable text={secret} label="Copy the secret" />
          <CommandText label="Call the hook with this secret">
            {hookCurl({ url, data, secret: { value: secret } })}
          </CommandText>
          <Group justify="flex-end">
            <Button onClick={({ detail }) => detail < 2 && onClose()}>I have saved it</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
