import type { InboxMessage } from '#contract/inbox.ts';
import { Logo } from '#web/ui/Logo.tsx';
import classes from './received.module.css';
import { MarkedText } from './MarkedText.tsx';
import { piecesOfSlack } from './marked-text.ts';

/** A message in its Slack channel. */
export function SlackMessage({ message }: { message: InboxMessage }) {
  const at = new Date(message.received_at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return (
    <section className={classes.slack} aria-label={`The Slack channel ${message.recipient}`}>
      <header className={classes.channel}>{message.recipient}</header>
      <div className={classes.post}>
        <span className={classes.app}>
          <Logo size={24} />
        </span>
        <div className={classes.said}>
          <p className={classes.by}>
            <strong>{message.sender}</strong>
            <span className={classes.tag}>App</span>
            <time dateTime={message.received_at}>{at}</time>
          </p>
          <MarkedText pieces={piecesOfSlack(message.text)} />
        </div>
      </div>
    </section>
  );
}
