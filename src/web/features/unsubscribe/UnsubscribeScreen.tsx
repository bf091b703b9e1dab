import { Card, Skeleton, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '#web/api/client.ts';
import { subscriptionQuery } from '#web/api/unsubscribe.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import classes from '#web/ui/link-page.module.css';

const route = getRouteApi('/themed/unsubscribe/$token');

/** The page of the unsubscribe link: recipient, sender and the Unsubscribe button. */
export function UnsubscribeScreen() {
  useDocumentTitle('Unsubscribe');
  const { token } = route.useParams();
  return (
    <main className={classes.page}>
      <Logo size={44} />
      <Card className={classes.card}>
        <Link token={token} />
      </Card>
    </main>
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
  return (
    <div aria-busy aria-label="Loading">
      <Skeleton height={28} width="80%" />
      <Skeleton height={14} mt={16} />
      <Skeleton height={14} mt={8} width="60%" />
      <Skeleton height={42} mt={24} />
    </div>
  );
}

function NoLink() {
  return (
    <>
      <Title order={1}>This link does not work</Title>
      <p role="alert">It may be incomplete. Open it from the mail, or answer the mail and ask the sender to stop.</p>
    </>
  );
}
