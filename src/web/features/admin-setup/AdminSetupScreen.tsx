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
  useDocumentTitle('Claim administration');
  const token = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('token') ?? '' });
  const session = useSession();
  const claim = useMutation({ mutationFn: () => call(accessRoutes.completeAdminSetup, { body: { token } }) });
  return (
    <main className={classes.page}>
      <Link to="/dashboard" aria-label="Cuebird, to the dashboard">
        <Logo size={44} />
      </Link>
      <Card className={classes.card}>
        {claim.isSuccess ? (
          <>
            <Title order={1}>You are the administrator</Title>
            <p role="status">
              {session?.user.email} now administers this installation. The link that you followed does not work a second
              time.
            </p>
            <ButtonLink to="/dashboard" fullWidth>
              Go to the dashboard
            </ButtonLink>
          </>
        ) : (
          <>
            <Title order={1}>Administer this installation</Title>
            <p>
              {session?.user.email} will become the system administrator: the one who sees every workspace and changes
              the settings of this installation. The link works once.
            </p>
            {claim.error && (
              <p role="alert" className={classes.refused}>
                {messageOf(claim.error)}
              </p>
            )}
            <Button
              fullWidth
              size="md"
              loading={claim.isPending}
              disabled={token === ''}
              onClick={() => claim.mutate()}
            >
              Claim administration
            </Button>
            {token === '' && <p>This URL has no token: follow the link that the terminal prints.</p>}
          </>
        )}
      </Card>
    </main>
  );
}
