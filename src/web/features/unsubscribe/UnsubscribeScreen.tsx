import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '#web/api/client.ts';
import { subscriptionQuery } from '#web/api/unsubscribe.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LinkPage, LinkSkeleton } from '#web/ui/LinkPage.tsx';
import { SubscriptionCard } from './SubscriptionCard.tsx';

const route = getRouteApi('/themed/unsubscribe/$token');

/** The page of the unsubscribe link: recipient, sender and the Unsubscribe button. */
export function UnsubscribeScreen() {
  const { token } = route.useParams();
  return (
    <LinkPage title="Unsubscribe">
      <Link token={token} />
    </LinkPage>
  );
}

function Link({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useQuery(subscriptionQuery(token));
  if (data) return <SubscriptionCard token={token} subscription={data} />;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NoLink />;
  if (error) {
    return (
      <ErrorState
        title="The link could not be checked"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  }
  return <LinkSkeleton />;
}

function NoLink() {
  return (
    <>
      <Title order={1}>This link does not work</Title>
      <p role="alert">It may be incomplete. Open it from the mail, or answer the mail and ask the sender to stop.</p>
    </>
  );
}
