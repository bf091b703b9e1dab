import { Button, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Subscription } from '#contract/unsubscribe.ts';
import { useChangeSubscription } from '#web/api/unsubscribe.ts';
import { channelWords } from './channel-words.ts';
import { LinkRefusal } from '#web/ui/LinkPage.tsx';

type SubscriptionCardProps = { token: string; subscription: Subscription };

/** The status of the subscription, and the button that changes it. */
export function SubscriptionCard({ token, subscription }: SubscriptionCardProps) {
  const change = useChangeSubscription(token);
  const title = useRef<HTMLHeadingElement>(null);
  const { is_subscribed: isSubscribed, undo } = subscription;
  // The clicked button is removed, so the focus moves to the title, which states the result.
  useEffect(() => {
    if (change.isSuccess) title.current?.focus();
  }, [change.isSuccess, isSubscribed]);
  return (
    <>
      <Title order={1} ref={title} tabIndex={-1}>
        {titleOf(subscription, change.isSuccess)}
      </Title>
      <p role="status">
        <Sentence subscription={subscription} />
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

function titleOf({ is_subscribed: isSubscribed }: Subscription, isChanged: boolean): string {
  if (!isSubscribed) return 'You are unsubscribed';
  return isChanged ? 'You are subscribed again' : 'Unsubscribe?';
}

function Sentence({
  subscription: { company, recipient, channel, is_subscribed: isSubscribed },
}: {
  subscription: Subscription;
}) {
  const who = <strong>{company}</strong>;
  const whom = <strong>{recipient}</strong>;
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
