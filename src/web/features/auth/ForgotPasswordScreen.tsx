import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { configQuery } from '#web/api/config.ts';
import { requestReset } from '#web/api/sign-in.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { BackToSignIn } from './BackToSignIn.tsx';
import { LinkPage } from '#web/ui/LinkPage.tsx';
import { MailLinkForm } from './MailLinkForm.tsx';

/** Has a link mailed by which a new password is set. */
export function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const canMail = useQuery(configQuery).data?.account_mail !== false;
  return (
    <LinkPage title="Forgot your password?">
      {!canMail && <NoMail />}
      {canMail && sentTo === null && (
        <>
          <Title order={1}>Forgot your password?</Title>
          <p>Enter the address of your account. We mail you a link by which you set a new password.</p>
          <MailLinkForm submitLabel="Send the link" send={requestReset} onSent={setSentTo} />
          <BackToSignIn />
        </>
      )}
      {canMail && sentTo !== null && (
        <>
          <Title order={1}>Check your email</Title>
          <p role="status">
            If <strong>{sentTo}</strong> has an account, a link is on its way. It works for one hour. Look in the spam
            folder, too, before you ask again.
          </p>
          <ButtonLink to="/auth" fullWidth variant="default">
            Back to sign-in
          </ButtonLink>
        </>
      )}
    </LinkPage>
  );
}

const NoMail = () => (
  <>
    <Title order={1}>Forgot your password?</Title>
    <p role="status">
      This installation sends no mail, so it cannot send you a link. Ask whoever runs it to set SMTP_URL.
    </p>
    <ButtonLink to="/auth" fullWidth variant="default">
      Back to sign-in
    </ButtonLink>
  </>
);
