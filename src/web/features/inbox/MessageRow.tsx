import type { InboxMessage } from '#contract/inbox.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import classes from './inbox.module.css';

/** A message in the list: how it came, what about, to whom, and when. */
export function MessageRow({ message: { channel, subject, recipient, received_at } }: { message: InboxMessage }) {
  return (
    <>
      <span className={classes.icon}>
        <ChannelIcon channel={channel} />
      </span>
      <span className={classes.words}>
        <span className={classes.subject} title={subject}>
          {subject || 'No subject'}
        </span>
        <span className={classes.below}>
          <span className={classes.recipient}>{recipient}</span>
          <RelativeTime at={received_at} />
        </span>
      </span>
    </>
  );
}
