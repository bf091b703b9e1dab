import { Button, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { ApiError } from '#web/api/client.ts';
import { sessionQuery } from '#web/api/session.ts';
import { requestVerification, verifyEmail } from '#web/api/sign-in.ts';
import { useLinkToken } from '#web/ui/link-token.ts';
import { LinkPage, LinkRefusal } from '#web/ui/LinkPage.tsx';
import { notifySuccess } from '#web/ui/notify.tsx';
import { BackToSignIn } from './BackToSignIn.tsx';
import { MailLinkForm } from './MailLinkForm.tsx';

/** The page of a verification link. Only its button confirms: programs that open the links of mails change nothing. */
export function VerifyEmailScreen() {
  const token = useLinkToken();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const email = emailInLink(token);
  const verification = useMutation({
    mutationFn: () => verifyEmail(token),
    onSuccess: async () => {
      const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      notifySuccess('Address confirmed', session ? 'You are signed in.' : 'Sign in to start.');
      await navigate({ to: session ? '/auth/two-factor' : '/auth', replace: true });
    },
  });
  const isRefused = verification.error instanceof ApiError && verification.error.status === 401;
  return (
    <LinkPage title="Confirm your email address">
      {isRefused || email === null ? (
        <NewLink email={email ?? ''} />
      ) : (
        <>
          <Title order={1}>Confirm your email address</Title>
          <p>
            <strong>{email}</strong> will be the address that you sign in with, and that Cuebird writes to.
          </p>
          <LinkRefusal error={verification.error} />
          <Button fullWidth size="md" loading={verification.isPending} onClick={() => verification.mutate()}>
            Confirm your email address
          </Button>
        </>
      )}
    </LinkPage>
  );
}

function NewLink({ email }: { email: string }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <>
        <Title order={1}>Check your email</Title>
        <p role="status">
          If <strong>{sentTo}</strong> waits to be confirmed, a new link is on its way.
        </p>
        <BackToSignIn />
      </>
    );
  return (
    <>
      <Title order={1}>This link does not work</Title>
      <p role="alert">It is older than 24 hours, or incomplete. We mail you a new one.</p>
      <MailLinkForm email={email} submitLabel="Send a new link" send={requestVerification} onSent={setSentTo} />
      <BackToSignIn />
    </>
  );
}

const Payload = z.object({ email: z.email() });

/** The address that a verification token names; null for text that is none. Only the server knows whether it is valid. */
function emailInLink(token: string): string | null {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    return Payload.parse(JSON.parse(new TextDecoder().decode(bytes))).email;
  } catch {
    return null;
  }
}
