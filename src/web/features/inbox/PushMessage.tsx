import type { InboxMessage } from '#contract/inbox.ts';
import { Logo } from '#web/ui/Logo.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import classes from './received.module.css';
import { titleOf } from './message-words.ts';

/** A notification as a browser shows it. */
export function PushMessage({ message }: { message: InboxMessage }) {
  return (
    <section className={classes.notification} aria-label="The notification">
      <Logo size={32} />
      <div className={classes.said}>
        <p className={classes.by}>
          <strong>{titleOf(message)}</strong>
        </p>
        <p className={classes.body}>{message.text}</p>
        <p className={classes.origin}>
          Cuebird · <RelativeTime at={message.received_at} />
        </p>
      </div>
    </section>
  );
}
