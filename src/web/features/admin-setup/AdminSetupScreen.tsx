import { Button, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { accessRoutes, usedSetupLink } from '#contract/access.ts';
import { call } from '#web/api/client.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { isAskedForSecondFactor } from '#web/features/auth/enter.ts';
import { LinkPage, LinkRefusal, LinkSkeleton } from '#web/ui/LinkPage.tsx';
import { useLinkToken } from '#web/ui/link-token.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { rememberReturnPath } from './return-path.ts';

/**
 * Makes the signed-in user the administrator of the installation; works once. A link that cannot be used says so before anybody signs in
 * or confirms a password for it.
 */
export function AdminSetupScreen() {
  const token = useLinkToken();
  const session = useSession();
  const link = useQuery({
    queryKey: ['admin-setup', token],
    queryFn: ({ signal }) => call(accessRoutes.checkAdminSetup, { body: { token }, signal }),
    enabled: token !== '',
    staleTime: Infinity,
    retry: false,
  });
  return (
    <LinkPage title="Become administrator" logo={<LogoLink />}>
      {token === '' ? (
        <Unusable>This link is incomplete. Open the link that the terminal shows.</Unusable>
      ) : link.isPending ? (
        <LinkSkeleton />
      ) : link.data?.usable === false ? (
        <Unusable>{usedSetupLink}. While nobody is administrator, each start prints a new one.</Unusable>
      ) : session ? (
        <Setup token={token} session={session} />
      ) : (
        <SignInFirst />
      )}
    </LinkPage>
  );
}

const Unusable = ({ children }: { children: ReactNode }) => (
  <>
    <Title order={1}>This link cannot be used</Title>
    <p role="alert">{children}</p>
    <ButtonLink to="/dashboard" fullWidth variant="default">
      Go to the dashboard
    </ButtonLink>
  </>
);

/** Leads to the sign-in, after which the link opens again. */
function SignInFirst() {
  const navigate = useNavigate();
  const href = useLocation({ select: (location) => location.href });
  useEffect(() => {
    rememberReturnPath(href);
    void navigate({ to: '/auth', replace: true });
  }, [href, navigate]);
  return <LinkSkeleton />;
}

function Setup({ token, session }: { token: string; session: Session }) {
  const queryClient = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => rememberReturnPath(null), []);
  const completeSetup = useMutation({
    async mutationFn() {
      await call(accessRoutes.completeAdminSetup, { body: { token } });
      setIsAsked(await isAskedForSecondFactor(queryClient));
    },
  });
  if (completeSetup.isSuccess)
    return (
      <>
        <Title order={1}>You are the administrator</Title>
        <p role="status">
          {session.user.email} is now the system administrator of this installation. The link cannot be used again.
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
    );
  return (
    <>
      <Title order={1}>Administer this installation</Title>
      <p>
        {session.user.email} will become the system administrator, who sees every workspace and changes the settings of
        this installation. The link works once.
      </p>
      <LinkRefusal error={completeSetup.error} />
      <Button fullWidth size="md" loading={completeSetup.isPending} onClick={() => completeSetup.mutate()}>
        Become administrator
      </Button>
    </>
  );
}

const LogoLink = () => (
  <Link to="/dashboard" aria-label="Cuebird: go to the dashboard">
    <Logo size={44} />
  </Link>
);
