import { Button, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accessRoutes } from '#contract/access.ts';
import { call } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { isAskedForSecondFactor } from '#web/features/auth/enter.ts';
import { LinkPage, LinkRefusal } from '#web/ui/LinkPage.tsx';
import { useLinkToken } from '#web/ui/link-token.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { Logo } from '#web/ui/Logo.tsx';

/** Makes the signed-in user the administrator of the installation; works once. */
export function AdminSetupScreen() {
  const token = useLinkToken();
  const session = useSession();
  const queryClient = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const completeSetup = useMutation({
    async mutationFn() {
      await call(accessRoutes.completeAdminSetup, { body: { token } });
      setIsAsked(await isAskedForSecondFactor(queryClient));
    },
  });
  return (
    <LinkPage title="Become administrator" logo={<LogoLink />}>
      {completeSetup.isSuccess ? (
        <>
          <Title order={1}>You are the administrator</Title>
          <p role="status">
            {session?.user.email} is now the system administrator of this installation. The link cannot be used again.
          </p>
          {isAsked && (
            <>
              <p>Administrators need two-factor authentication: who learns your password does not get in.</p>
              <ButtonLink to="/auth/two-factor" fullWidth mb={8}>
                Set up two-factor authentication
              </ButtonLink>
            </>
          )}
          <ButtonLink to="/dashboard" fullWidth variant={isAsked ? 'subtle' : 'filled'}>
            Go to the dashboard
          </ButtonLink>
        </>
      ) : (
        <>
          <Title order={1}>Administer this installation</Title>
          <p>
            {session?.user.email} will become the system administrator, who sees every workspace and changes the
            settings of this installation. The link works once.
          </p>
          <LinkRefusal error={completeSetup.error} />
          <Button
            fullWidth
            size="md"
            loading={completeSetup.isPending}
            disabled={token === ''}
            onClick={() => completeSetup.mutate()}
          >
            Become administrator
          </Button>
          {token === '' && (
            <Text c="dimmed" mt={16}>
              This link is incomplete. Open the link that the terminal shows.
            </Text>
          )}
        </>
      )}
    </LinkPage>
  );
}

const LogoLink = () => (
  <Link to="/dashboard" aria-label="Cuebird: go to the dashboard">
    <Logo size={44} />
  </Link>
);
