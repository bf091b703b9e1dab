import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Subscription } from '#contract/unsubscribe.ts';
import { ApiError } from '#web/api/client.ts';
import { subscriptionQuery } from '#web/api/unsubscribe.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LinkPage, LinkSkeleton } from '#web/ui/LinkPage.tsx';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import classes from './unsubscribe.module.css';

const route = getRouteApi('/themed/unsubscribe/$token');

/** The page of the unsubscribe link: recipient, sender and the Unsubscribe button. */
export function UnsubscribeScreen() {
  const { token } = route.useParams();
  const { data, isPending } = useQuery(subscriptionQuery(token));
  return (
    <LinkPage
      title="Unsubscribe"
      owner={data?.brand?.name}
      logo={data?.brand ? <BrandLogo brand={data.brand} /> : isPending ? <div className={classes.logo} /> : undefined}
    >
      <Link token={token} />
    </LinkPage>
  );
}

/** The sender's own, in place of Cuebird's. */
const BrandLogo = ({ brand: { name, logo } }: { brand: NonNullable<Subscription['brand']> }) => (
  <div className={classes.logo}>
    {logo !== null && <img src={logo} alt="" />}
    <strong>{name}</strong>
  </div>
);

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
