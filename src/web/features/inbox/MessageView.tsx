import { Tabs } from '@mantine/core';
import type { InboxMessage } from '#contract/inbox.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { Headers } from './Headers.tsx';
import classes from './inbox.module.css';
import { LinkedText } from './LinkedText.tsx';
import { WebhookBody } from './WebhookBody.tsx';

type MessageViewProps = {
  message: InboxMessage;
  /** Where the HTML part is served; null when there is none to show. */
  htmlUrl: string | null;
};

/** One message: from whom, to whom, what about, when, and what it says. */
export function MessageView({ message, htmlUrl }: MessageViewProps) {
  const subject = message.subject || 'No subject';
  useDocumentTitle(subject);
  return (
    <article className={classes.message}>
      <h2 className={classes.title}>{subject}</h2>
      <Envelope message={message} />
      <Tabs defaultValue="message" keepMounted={false} className={classes.tabs}>
        <Tabs.List>
          <Tabs.Tab value="message">Message</Tabs.Tab>
          <Tabs.Tab value="text">Text</Tabs.Tab>
          <Tabs.Tab value="headers">Headers</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="message" className={classes.panel}>
          {message.channel === 'webhook' ? (
            <WebhookBody text={message.text} />
          ) : htmlUrl ? (
            <iframe className={classes.frame} sandbox="" src={htmlUrl} title={`The message: ${subject}`} />
          ) : (
            <LinkedText text={message.text} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="text" className={classes.panel}>
          <LinkedText text={message.text} isMono />
        </Tabs.Panel>
        <Tabs.Panel value="headers" className={classes.panel}>
          <Headers headers={message.headers} />
        </Tabs.Panel>
      </Tabs>
    </article>
  );
}

function Envelope({ message }: { message: InboxMessage }) {
  const { channel, sender, recipient, headers, received_at } = message;
  const isMail = channel === 'email';
  const fields = [
    { name: 'From', value: (isMail && headers.from) || sender || '–' },
    { name: 'To', value: (isMail && headers.to) || recipient },
    { name: 'Subject', value: message.subject || '–' },
    ...methodField(message),
    { name: 'Received', value: <InstantText at={received_at} /> },
  ];
  return (
    <dl className={classes.envelope}>
      {fields.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A webhook call's method comes among its headers, named as HTTP/2 does. */
function methodField({ headers }: InboxMessage): { name: string; value: string }[] {
  const method = headers[':method'];
  return method ? [{ name: 'Method', value: method }] : [];
}
