import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, Group, PasswordInput, Skeleton, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ReauthenticationMethod, ReauthenticationProof } from '#contract/reauthentication.ts';
import { useSession } from '#web/api/session.ts';
import { useReauthenticate, useReauthentication, useMailReauthenticationCode } from '#web/api/reauthentication.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { focusLateForm } from '#web/ui/focus-late-form.ts';
import { messageOf } from '#web/ui/message-of.ts';
import { CodeInput, RecoveryCodeInput } from './CodeInput.tsx';

type Answering = { onAnswer: (isReauthenticated: boolean) => void };

/** Asks who sits at the screen, before what is sensitive; whatever was typed elsewhere stays as it is. */
export default function ReauthenticationDialog({ onAnswer }: Answering) {
  const { data, error, isFetching, refetch } = useReauthentication();
  return (
    <Dialog title="Confirm that it is you" opened onClose={() => onAnswer(false)} width={420}>
      {data === undefined && error && (
        <ErrorState title="Error loading the confirmation" of={{ error, refetch, isFetching }} />
      )}
      {data === undefined && !error && (
        <div role="status" aria-busy aria-label="Loading">
          <Skeleton height={14} />
          <Skeleton height={36} mt={24} />
        </div>
      )}
      {data !== undefined && <Method method={data.method} onAnswer={onAnswer} />}
    </Dialog>
  );
}

function Method({ method, onAnswer }: Answering & { method: ReauthenticationMethod }) {
  if (method === 'mailed_code') return <ByMail onAnswer={onAnswer} />;
  if (method === 'code') return <ByCode onAnswer={onAnswer} />;
  if (method === 'password') return <Proof name="password" onAnswer={onAnswer} />;
  return (
    <Stack gap={16}>
      <span>
        Your account has no password, and this installation cannot send mail. Sign out, sign in with Google, and do this
        within ten minutes.
      </span>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onAnswer(false)}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

function ByCode({ onAnswer }: Answering) {
  const [isRecovery, setIsRecovery] = useState(false);
  const name = isRecovery ? 'recovery_code' : 'code';
  return (
    <Stack gap={8}>
      <Proof key={name} name={name} onAnswer={onAnswer} />
      <Button variant="subtle" size="sm" onClick={() => setIsRecovery(!isRecovery)}>
        {isRecovery ? 'Use a code of your app' : 'Use a recovery code'}
      </Button>
    </Stack>
  );
}

function ByMail({ onAnswer }: Answering) {
  const email = useSession()?.user.email;
  const mail = useMailReauthenticationCode();
  if (mail.isSuccess)
    return (
      <Stack gap={8}>
        <Proof name="mailed_code" onAnswer={onAnswer} />
        <Button variant="subtle" size="sm" loading={mail.isPending} onClick={() => mail.mutate()}>
          Mail another code
        </Button>
      </Stack>
    );
  return (
    <Stack gap={16}>
      <span>We mail a code to {email}, which works for 10 minutes.</span>
      {mail.error && <span role="alert">{messageOf(mail.error)}</span>}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={() => onAnswer(false)}>
          Cancel
        </Button>
        <Button loading={mail.isPending} onClick={() => mail.mutate()} data-autofocus>
          Mail me a code
        </Button>
      </Group>
    </Stack>
  );
}

const looks = {
  password: {
    label: 'Your password',
    empty: 'Enter your password',
    words: 'This needs your password once more, as you confirmed it more than ten minutes ago.',
  },
  code: {
    label: 'Code',
    empty: 'Enter the code',
    words: 'Open your authenticator app, and enter the six digits that it shows for Cuebird.',
  },
  recovery_code: {
    label: 'Recovery code',
    empty: 'Enter a recovery code',
    words: 'Enter one of the recovery codes that you saved. It does not work again.',
  },
  mailed_code: {
    label: 'Code',
    empty: 'Enter the code',
    words: 'We mailed you a code. Enter it here.',
  },
} as const;

function Proof({ name, onAnswer }: Answering & { name: keyof ReauthenticationProof }) {
  const email = useSession()?.user.email;
  const { mutateAsync, isPending } = useReauthenticate();
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { label, words, empty } = looks[name];
  const submit = async (event: FormEvent) => {
    // React hands the event on to the form around the dialog, whose request waits for this.
    event.stopPropagation();
    event.preventDefault();
    if (isPending) return;
    if (value.trim() === '') return setProblem(empty);
    try {
      await mutateAsync({ [name]: value });
      onAnswer(true);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const input = {
    label,
    value,
    error: problem,
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      setValue(event.currentTarget.value);
      setProblem(null);
    },
    'data-autofocus': true,
  };
  return (
    <form ref={focusLateForm} noValidate onSubmit={(event) => void submit(event)}>
      <Stack gap={16}>
        <span>{words}</span>
        {name === 'password' && <input type="email" autoComplete="username" value={email ?? ''} readOnly hidden />}
        {name === 'password' && <PasswordInput autoComplete="current-password" maxLength={200} {...input} />}
        {(name === 'code' || name === 'mailed_code') && <CodeInput {...input} />}
        {name === 'recovery_code' && <RecoveryCodeInput {...input} />}
        <FormButtons onCancel={() => onAnswer(false)} isBusy={isPending}>
          Confirm
        </FormButtons>
      </Stack>
    </form>
  );
}
