import { Anchor, Card, Title, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Channel, configurableTypes } from '#contract/channels.ts';
import { configQuery } from '#web/api/config.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import prose from '#web/ui/prose.module.css';
import classes from './QuickStart.module.css';

const hints: Record<Channel['type'], string> = {
  email: 'Through your own mail server',
  sms: 'Through Twilio, AWS SNS, MessageBird or Vonage',
  whatsapp: 'Through WAHA, Twilio, Meta or MessageBird',
  webhook: 'An HTTP request to any URL',
  slack: 'Through an incoming webhook or a bot',
};

/** The empty state: a tile for each channel type. */
export function QuickStart({ onChoose }: { onChoose: (type: Channel['type']) => void }) {
  const hasSandbox = useQuery(configQuery).data?.sandbox === true;
  return (
    <Card component="section" aria-labelledby="quick-start">
      <Title order={2} id="quick-start">
        Choose your first channel
      </Title>
      <p className={classes.sentence}>
        A channel sends the reminders of this workspace.{' '}
        {hasSandbox && 'Without a channel, the Inbox of this installation catches all messages.'}{' '}
        <Anchor href="/docs/providers">How to set up a provider</Anchor>
      </p>
      <div className={classes.tiles}>
        {configurableTypes.map((type) => {
          const { name, icon: Icon } = channelLooks[type];
          return (
            <UnstyledButton key={type} type="button" className={classes.tile} onClick={() => onChoose(type)}>
              <span className={classes.icon}>
                <Icon size={20} stroke={1.6} aria-hidden />
              </span>
              <span className={prose.lines}>
                <span className={prose.strong}>{name}</span>
                <span className={classes.hint}>{hints[type]}</span>
              </span>
              <IconChevronRight className={prose.dimIcon} size={16} aria-hidden />
            </UnstyledButton>
          );
        })}
      </div>
    </Card>
  );
}
