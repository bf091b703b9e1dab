import { Card, Title } from '@mantine/core';
import type { Channel, ChannelTypeForm } from '#contract/channels.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ChannelActions } from './ChannelActions.tsx';
import { ChannelBadge } from './ChannelBadge.tsx';
import classes from './ChannelCard.module.css';
import { destinationOf, providerTitle } from './channel-words.ts';

type ChannelCardProps = {
  channel: Channel;
  types: readonly ChannelTypeForm[] | undefined;
  onAsk: (to: 'edit' | 'test' | 'delete') => void;
};

export function ChannelCard({ channel, types, onAsk }: ChannelCardProps) {
  const { name, icon: Icon } = channelLooks[channel.type];
  const provider = providerTitle(channel, types);
  const destination = destinationOf(channel);
  return (
    <Card className={classes.card} component="article" aria-labelledby={`channel-${channel.id}`}>
      <div className={classes.head}>
        <span className={classes.icon} data-off={!channel.is_active}>
          <Icon size={20} stroke={1.6} aria-hidden />
        </span>
        <div className={classes.words}>
          <Title order={2} size="h3" className={classes.name} id={`channel-${channel.id}`}>
            {channel.name}
          </Title>
          <p className={classes.kind}>{provider === null ? name : `${name} · ${provider}`}</p>
        </div>
        <ChannelBadge channel={channel} />
      </div>
      <p className={classes.destination} title={destination}>
        {destination}
      </p>
      <p className={classes.changed}>
        Changed <RelativeTime at={channel.updated_at} />
      </p>
      <ChannelActions channel={channel} onAsk={onAsk} />
    </Card>
  );
}
