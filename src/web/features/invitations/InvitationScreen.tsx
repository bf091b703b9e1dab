import { Button, Divider, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiError } from '#web/api/client.ts';
import { rememberWorkspace } from '#web/api/current-workspace.ts';
import { invitationQuery, useAcceptInvitation, useDeclineInvitation } from '#web/api/invitations.ts';
import { type Session, useSession } from '#web/api/session.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';
import { rememberReturnPath } from '#web/features/admin-setup/return-path.ts';
import { AuthForms } from '#web/features/auth/AuthForms.tsx';
import { useSignOut } from '#web/features/auth/sign-out.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LinkPage, LinkRefusal, LinkSkeleton } from '#web/ui/LinkPage.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { notifySuccess } from '#web/ui/notify.tsx';
import { useAsked } from '#web/ui/use-asked.ts';
import { rememberAccepted, takeAccepted } from './accepted.ts';

const route = getRouteApi('/themed/invitation/$token');

/** The page of an invitation link: where it leads, who invites, and the two answers. */
export function InvitationScreen() {
  const { token } = route.useParams();
  return (
    <LinkPage title="Invitation">
      <Invitation token={token} />
    </LinkPage>
  );
}

function Invitation({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useQuery(invitationQuery(token));
  const decline = useDeclineInvitation(token);
  const session = useSession();
  if (decline.isSuccess) return <Declined />;
  if (error instanceof ApiError && error.status === 404)
    return <NoInvitation token={token} isSignedIn={Boolean(session)} />;
  if (error && !data) {
    return <ErrorState title="Error loading the invitation" of={{ error, refetch, isFetching }} />;
  }
  if (!data) return <LinkSkeleton />;
  const declining = (
    <Button variant="default" fullWidth loading={decline.isPending} onClick={() => decline.mutate()}>
      Decline
    </Button>
  );
  return (
    <>
      <Title order={1}>Join {data.workspace}?</Title>
      <p>
        {data.invited_by || 'Somebody'} invites you to the workspace <strong>{data.workspace}</strong> in Cuebird.
      </p>
      <LinkRefusal error={decline.error} />
      {session ? (
        <Answer token={token} session={session} declining={declining} />
      ) : (
        <SignInFirst token={token} email={data.email} declining={declining} />
      )}
    </>
  );
}

function Answer({ token, session, declining }: { token: string; session: Session; declining: ReactNode }) {
  const accept = useAcceptInvitation(token);
  const signOut = useSignOut();
  const navigate = useNavigate();
  const isAnotherAddress = accept.error instanceof ApiError && accept.error.status === 403;
  const enter = async () => {
    try {
      const { workspace_id: id, workspace } = await accept.mutateAsync();
      rememberReturnPath(null);
      rememberWorkspace(id);
      notifySuccess('Invitation accepted', `Now working in ${workspace}`);
      await navigate({ to: '/dashboard' });
    } catch {
      // Shown below, from the mutation.
    }
  };
  // Whoever has signed in or up to accept is not asked again.
  const [isAccepted] = useState(() => takeAccepted(token));
  useAsked(isAccepted ? token : undefined, () => void enter());
  return (
    <Stack gap={8}>
      <LinkRefusal error={accept.error} />
      {isAnotherAddress ? (
        <Button
          fullWidth
          size="md"
          loading={signOut.isPending}
          onClick={() => {
            rememberReturnPath(`/invitation/${token}`);
            signOut.mutate();
          }}
        >
          Sign out, and use another address
        </Button>
      ) : (
        <Button fullWidth size="md" loading={accept.isPending} onClick={() => void enter()}>
          Accept
        </Button>
      )}
      {declining}
      <Text mt={4} fz={13} c="dimmed">
        You are signed in as {session.user.email}.
      </Text>
    </Stack>
  );
}

/** Signing in or up from here accepts, at once or once the address is verified. */
function SignInFirst({ token, email, declining }: { token: string; email: string; declining: ReactNode }) {
  const path = `/invitation/${token}`;
  return (
    <Stack gap={12} ta="start">
      <AuthForms
        tab="sign-up"
        email={email}
        onBegin={() => {
          rememberAccepted(token);
          // A verification mail may open another tab, which returns here, too.
          rememberReturnPath(path, { inEveryTab: true });
        }}
      />
      <Divider />
      {declining}
    </Stack>
  );
}

const Declined = () => (
  <>
    <Title order={1}>You declined</Title>
    <p role="status">The link no longer works. Whoever invited you can invite you again.</p>
  </>
);

/** Whoever has accepted, or is a member anyway, is led into the workspace. */
function NoInvitation({ token, isSignedIn }: { token: string; isSignedIn: boolean }) {
  const navigate = useNavigate();
  const mine = useQuery({ ...workspacesQuery, enabled: isSignedIn });
  const workspaceId = workspaceInToken(token);
  const joined = mine.data?.find(({ id }) => id === workspaceId);
  if (isSignedIn && mine.isPending) return <LinkSkeleton />;
  // Signed out, the workspace is opened after the sign-in, if it is one of theirs.
  const openIt = (to: '/dashboard' | '/auth') => {
    if (workspaceId !== null) rememberWorkspace(workspaceId);
    void navigate({ to });
  };
  if (joined)
    return (
      <>
        <Title order={1}>You are in {joined.name}</Title>
        <p role="status">This invitation was used. You are a member of the workspace already.</p>
        <Button fullWidth size="md" onClick={() => openIt('/dashboard')}>
          Open the workspace
        </Button>
      </>
    );
  return (
    <>
      <Title order={1}>This invitation does not work</Title>
      <p role="alert">
        It was used, declined or revoked, or it is older than 7 days. Ask whoever invited you for a new one.
      </p>
      {isSignedIn ? (
        <ButtonLink to="/dashboard" fullWidth variant="default">
          Go to the dashboard
        </ButtonLink>
      ) : (
        <>
          <p>If it was you who accepted it, sign in to open the workspace.</p>
          <Button fullWidth variant="default" onClick={() => openIt('/auth')}>
            Go to sign-in
          </Button>
        </>
      )}
    </>
  );
}

/** The id of the workspace at the end of an invitation's token; null where the text is no token. */
function workspaceInToken(token: string): string | null {
  if (!/^[\w-]{64}$/.test(token)) return null;
  const bytes = Uint8Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  const hex = Array.from(bytes.slice(32), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
