import { Box, Flex } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { InboxMessage } from '#contract/inbox.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import classes from './inbox.module.css';
import prose from '#web/ui/prose.module.css';
import { titleOf } from './message-words.ts';

/** A row of the list: channel, subject, recipient (for a reply: sender) and time. */
export function MessageRow({ message }: { message: InboxMessage }) {
  const { channel, sender, recipient, received_at, reply_to } = message;
  const title = titleOf(message);
  return (
    <>
      <Box component="span" pt={1} c="dimmed">
        <ChannelIcon channel={channel} />
      </Box>
      <Flex component="span" direction="column" miw={0}>
        <Box component="span" fw={560} className={prose.oneLine} title={title}>
          {title}
        </Box>
        <span className={classes.below}>
          {reply_to === null ? (
            <span className={prose.oneLine}>{recipient}</span>
          ) : (
            <span className={prose.oneLine}>
              <IconArrowBackUp size={14} aria-hidden style={{ marginRight: 4, verticalAlign: -2 }} />
              Answer from {sender}
            </span>
          )}
          <RelativeTime at={received_at} />
        </span>
      </Flex>
    </>
  );
}
