import { Button, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '#web/api/client.ts';
import { enterCode } from '#web/api/two-factor.ts';
import { LinkPage } from '#web/ui/LinkPage.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { CodeInput, RecoveryCodeInput } from './CodeInput.tsx';
import { useEnter } from './enter.ts';
import { useSignOut } from './sign-out.ts';

const twoFactorRoute = getRouteApi('/themed/auth/code');

/** The second step of a sign-in, for whoever has turned it on. */
export function TwoFactorScreen() {
  const [isRecovery, setIsRecovery] = useState(false);
  const signOut = useSignOut();
  return (
    <LinkPage title="Two-factor authentication">
      <Title order={1}>{isRecovery ? 'Enter a recovery code' : 'Enter your code'}</Title>
      <p>
        {isRecovery
          ? 'One of the codes that you saved when you turned on two-factor authentication. Each works once.'
          : 'Open your authenticator app, and enter the six digits that it shows for Cuebird.'}
      </p>
      <CodeForm key={String(isRecovery)} isRecovery={isRecovery} />
      <Stack gap={8} mt={8}>
        <Button variant="subtle" onClick={() => setIsRecovery(!isRecovery)}>
          {isRecovery ? 'Use a code of your app' : 'Use a recovery code'}
        </Button>
        <Button variant="subtle" color="gray" loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Back to sign-in
        </Button>
      </Stack>
    </LinkPage>
  );
}

function CodeForm({ isRecovery }: { isRecovery: boolean }) {
  const { next } = twoFactorRoute.useSearch();
  const enter = useEnter();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const entry = useMutation({
    mutationFn: async () => {
      await enterCode({ code, isRecovery });
      await enter(0, next);
    },
    onError: (error) =>
      setProblem(
        error instanceof ApiError && error.code === 'unauthenticated'
          ? 'This took longer than 15 minutes. Go back and sign in again.'
          : messageOf(error),
      ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '') return setProblem(isRecovery ? 'Enter a recovery code' : 'Enter the code');
    if (!entry.isPending) entry.mutate();
  };
  const Input = isRecovery ? RecoveryCodeInput : CodeInput;
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <Input
          label={isRecovery ? 'Recovery code' : 'Code'}
          value={code}
          error={problem}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setProblem(null);
          }}
          autoFocus
        />
        <Button type="submit" size="md" fullWidth loading={entry.isPending}>
          Continue
        </Button>
      </Stack>
    </form>
  );
}
