import { IconArrowBackUp } from '@tabler/icons-react';
import type { InboxMessage } from '#contract/inbox.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import classes from './inbox.module.css';
import { titleOf } from './message-words.ts';

/** A row of the list: channel, subject, recipient (for a reply: sender) and time. */
export function MessageRow({ message }: { message: InboxMessage }) {
  const { channel, sender, recipient, received_at, reply_to } = message;
  const title = titleOf(message);
  return (
    <>
      <span className={classes.icon}>
        <ChannelIcon channel={channel} />
      </span>
      <span className={classes.words}>
        <span className={classes.subject} title={title}>
          {title}
        </span>
        <span className={classes.below}>
          {reply_to === null ? (
            <span className={classes.recipient}>{recipient}</span>
          ) : (
            <span className={classes.recipient}>
              <IconArrowBackUp size={14} aria-hidden className={classes.answered} />
              Answer from {sender}
            </span>
          )}
          <RelativeTime at={received_at} />
        </span>
      </span>
    </>
  );
}
