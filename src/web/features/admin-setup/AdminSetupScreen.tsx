import { Button, Card, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { accessRoutes } from '#contract/access.ts';
import { call } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import classes from './AdminSetupScreen.module.css';

/** Makes the signed-in user the administrator of the installation; works once. */
export function AdminSetupScreen() {
  useDocumentTitle('Become administrator');
  const token = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('token') ?? '' });
  const session = useSession();
  const completeSetup = useMutation({ mutationFn: () => call(accessRoutes.completeAdminSetup, { body: { token } }) });
  return (
    <main className={classes.page}>
      <Link to="/dashboard" aria-label="Cuebird: go to the dashboard">
        <Logo size={44} />
      </Link>
      <Card className={classes.card}>
        {completeSetup.isSuccess ? (
          <>
            <Title order={1}>You are the administrator</Title>
            <p role="status">
              {session?.user.email} is now the system administrator of this installation. The link cannot be used again.
            </p>
            <ButtonLink to="/dashboard" fullWidth>
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
            {completeSetup.error && (
              <p role="alert" className={classes.refused}>
                {messageOf(completeSetup.error)}
              </p>
            )}
            <Button
              fullWidth
              size="md"
              loading={completeSetup.isPending}
              disabled={token === ''}
              onClick={() => completeSetup.mutate()}
            >
              Become administrator
            </Button>
            {token === '' && <p>This link is incomplete. Open the link that the terminal shows.</p>}
          </>
        )}
      </Card>
    </main>
  );
}
