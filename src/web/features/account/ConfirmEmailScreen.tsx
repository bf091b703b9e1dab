import { Button, Title } from '@mantine/core';
import { ApiError } from '#web/api/client.ts';
import { useAccount, useConfirmEmail } from '#web/api/account.ts';
import { LinkPage, LinkRefusal, LinkSkeleton } from '#web/ui/LinkPage.tsx';
import { useLinkToken } from '#web/ui/link-token.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';

/** The page of the link in the mail to a new address. Only its button changes the address. */
export function ConfirmEmailScreen() {
  return (
    <LinkPage title="Confirm your new address">
      <Confirmation />
    </LinkPage>
  );
}

function Confirmation() {
  const token = useLinkToken();
  const account = useAccount();
  const confirm = useConfirmEmail();
  if (confirm.isSuccess)
    return (
      <>
        <Title order={1}>Your address is changed</Title>
        <p role="status">
          From now on you sign in with <strong>{confirm.data.email}</strong>.
        </p>
        <ButtonLink to="/dashboard" fullWidth>
          Go to the dashboard
        </ButtonLink>
      </>
    );
  if (account.isPending) return <LinkSkeleton />;
  if (!account.data) return <ErrorState title="The link could not be checked" of={account} />;
  const { email, email_change: change } = account.data;
  const isRefused = confirm.error instanceof ApiError && confirm.error.status === 404;
  if (change === null || token === '' || isRefused) return <NoLink email={email} />;
  return (
    <>
      <Title order={1}>Confirm your new address</Title>
      <p>
        You will sign in with <strong>{change.email}</strong> instead of <strong>{email}</strong>.
      </p>
      <LinkRefusal error={confirm.error} />
      <Button fullWidth size="md" loading={confirm.isPending} onClick={() => confirm.mutate(token)}>
        Confirm this address
      </Button>
    </>
  );
}

const NoLink = ({ email }: { email: string }) => (
  <>
    <Title order={1}>This link does not work</Title>
    <p role="alert">
      It was used already, is older than 24 hours, or is for another account than <strong>{email}</strong>, in which you
      are signed in. You can ask for a new one in your settings.
    </p>
    <ButtonLink to="/settings" fullWidth size="md">
      Go to your settings
    </ButtonLink>
  </>
);
