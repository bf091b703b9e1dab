import { Button, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ChannelType } from '#contract/channel-types.ts';
import type { UnsubscribeLink } from '#contract/unsubscribe.ts';
import { ApiError } from '#web/api/client.ts';
import { unsubscribeLinkQuery, useUnsubscribeChange } from '#web/api/unsubscribe.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LinkPage, LinkRefusal, LinkSkeleton } from '#web/ui/LinkPage.tsx';
import classes from './unsubscribe.module.css';

const route = getRouteApi('/themed/unsubscribe/$token');

/** The page of the unsubscribe link: recipient, sender and the Unsubscribe button. */
export function UnsubscribeScreen() {
  const { token } = route.useParams();
  const { data, isPending } = useQuery(unsubscribeLinkQuery(token));
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
const BrandLogo = ({ brand: { name, logo } }: { brand: NonNullable<UnsubscribeLink['brand']> }) => (
  <div className={classes.logo}>
    {logo !== null && <img src={logo} alt="" />}
    <strong>{name}</strong>
  </div>
);

function Link({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useQuery(unsubscribeLinkQuery(token));
  if (data) return <LinkCard token={token} link={data} />;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NoLink />;
  if (error) {
    return <ErrorState title="The link could not be checked" of={{ error, refetch, isFetching }} />;
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

type LinkCardProps = { token: string; link: UnsubscribeLink };

/** Whether messages are stopped, and the button that changes it. */
function LinkCard({ token, link }: LinkCardProps) {
  const change = useUnsubscribeChange(token);
  const title = useRef<HTMLHeadingElement>(null);
  const { is_subscribed: isSubscribed, undo } = link;
  // The clicked button is removed, so the focus moves to the title, which states the result.
  useEffect(() => {
    if (change.isSuccess) title.current?.focus();
  }, [change.isSuccess, isSubscribed]);
  return (
    <>
      <Title order={1} ref={title} tabIndex={-1}>
        {titleOf(link, change.isSuccess)}
      </Title>
      <p role="status">
        <Sentence link={link} />
      </p>
      <LinkRefusal error={change.error} />
      {isSubscribed && (
        <Button fullWidth size="md" loading={change.isPending} onClick={() => change.mutate(null)}>
          Unsubscribe
        </Button>
      )}
      {!isSubscribed && undo !== null && (
        <Button fullWidth variant="default" loading={change.isPending} onClick={() => change.mutate(undo)}>
          Undo
        </Button>
      )}
    </>
  );
}

function titleOf({ is_subscribed: isSubscribed }: UnsubscribeLink, isChanged: boolean): string {
  if (!isSubscribed) return 'You are unsubscribed';
  return isChanged ? 'You are subscribed again' : 'Unsubscribe?';
}

function Sentence({
  link: { company, recipient, channel, stops, is_subscribed: isSubscribed },
}: {
  link: UnsubscribeLink;
}) {
  const who = <strong>{company}</strong>;
  const whom = <strong>{recipient}</strong>;
  if (stops === 'monthly_report')
    return (
      <>
        {who} sends {isSubscribed ? 'a monthly report' : 'this monthly report no more'} to {whom}.
      </>
    );
  return isSubscribed ? (
    <>
      {who} sends reminders to {whom} {channelWords[channel]}.
    </>
  ) : (
    <>
      {who} sends no more reminders to {whom} {channelWords[channel]}.
    </>
  );
}

/** The channel at the end of a sentence. */
const channelWords: Record<ChannelType, string> = {
  email: 'by email',
  sms: 'by SMS',
  whatsapp: 'by WhatsApp',
  webhook: 'by webhook',
  slack: 'in Slack',
  push: 'by push notification',
};
