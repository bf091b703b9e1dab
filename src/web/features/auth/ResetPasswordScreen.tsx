import { Button, Stack, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '#web/api/client.ts';
import { sessionQuery } from '#web/api/session.ts';
import { checkResetLink, resetPassword } from '#web/api/sign-in.ts';
import { useLinkToken } from '#web/ui/link-token.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { notifySuccess } from '#web/ui/notify.tsx';
import { tooShortText } from './auth-texts.ts';
import { LinkPage, LinkRefusal, LinkSkeleton } from '#web/ui/LinkPage.tsx';
import { useMinPasswordLength } from './password/min-length.ts';
import { NewPasswordInput } from './password/NewPasswordInput.tsx';

/** The page of a reset link: a new password for the account whose mailbox got it. */
export function ResetPasswordScreen() {
  const token = useLinkToken();
  const link = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => checkResetLink(token, signal),
    retry: false,
    // The link is used up by this page.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <LinkPage title="New password">
      {link.isPending && <LinkSkeleton />}
      {link.data && <NewPassword email={link.data.email} token={token} />}
      {link.error && (isUsed(link.error) ? <NoLink /> : <ErrorState title="The link could not be checked" of={link} />)}
    </LinkPage>
  );
}

const isUsed = (error: unknown) => error instanceof ApiError && error.status === 400;

function NewPassword({ email, token }: { email: string; token: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const minLength = useMinPasswordLength();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const reset = useMutation({
    mutationFn: () => resetPassword({ newPassword: password, token }),
    onSuccess: async () => {
      // Every session of the account has ended, maybe the one of this browser.
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      notifySuccess('Password changed', 'Sign in with your new password.');
      await navigate({ to: '/auth', replace: true });
    },
  });
  if (isUsed(reset.error) && (!(reset.error instanceof ApiError) || reset.error.code === 'INVALID_TOKEN'))
    return <NoLink />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reset.isPending) return;
    if (password.length < minLength) return setProblem(tooShortText(minLength));
    reset.mutate();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Title order={1}>Set a new password</Title>
      <p>
        For <strong>{email}</strong>. Every browser in which you are signed in is signed out.
      </p>
      <Stack gap={16}>
        <LinkRefusal error={reset.error} />
        {/* By this, password managers know whose password it is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordInput
          label="New password"
          own={() => [email]}
          value={password}
          error={problem}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setProblem(null);
          }}
        />
        <Button type="submit" size="md" fullWidth loading={reset.isPending}>
          Set password
        </Button>
      </Stack>
    </form>
  );
}

const NoLink = () => (
  <>
    <Title order={1}>This link no longer works</Title>
    <p role="alert">It was used already, is older than one hour, or is incomplete. A newer link works in its place.</p>
    <ButtonLink to="/auth/forgot-password" fullWidth size="md">
      Send a new link
    </ButtonLink>
  </>
);
