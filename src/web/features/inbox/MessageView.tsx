import { Tabs } from '@mantine/core';
import type { InboxMessage } from '#contract/inbox.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { Conversation } from './Conversation.tsx';
import { Headers } from './Headers.tsx';
import classes from './inbox.module.css';
import { LinkedText } from './LinkedText.tsx';
import { headingOf, providerNames, reportInWords, segmentsInWords, titleOf } from './message-words.ts';
import { PushMessage } from './PushMessage.tsx';
import { RequestText } from './RequestText.tsx';
import { SlackMessage } from './SlackMessage.tsx';

type MessageViewProps = {
  message: InboxMessage;
  /** The URL of the HTML part, or null when there is none. */
  htmlUrl: string | null;
};

/** One message: sender, recipient, subject, time and content, as its recipient sees it. */
export function MessageView({ message, htmlUrl }: MessageViewProps) {
  const heading = headingOf(message);
  const { channel, raw, text, headers } = message;
  const isAnswer = message.reply_to !== null;
  useDocumentTitle(heading);
  return (
    <article className={classes.message}>
      <h2 className={classes.title}>{heading}</h2>
      <Envelope message={message} />
      <Tabs defaultValue="message" keepMounted={false} className={classes.tabs}>
        <Tabs.List>
          <Tabs.Tab value="message">Message</Tabs.Tab>
          {raw !== null && <Tabs.Tab value="request">{channel === 'email' ? 'Source' : 'Request'}</Tabs.Tab>}
          {raw === null && !isAnswer && <Tabs.Tab value="text">Text</Tabs.Tab>}
          {!isAnswer && <Tabs.Tab value="headers">Headers</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="message" className={classes.panel}>
          <AsReceived message={message} htmlUrl={htmlUrl} />
        </Tabs.Panel>
        <Tabs.Panel value="request" className={classes.panel}>
          {/* The headers describe the encrypted push request, not the decrypted body. */}
          <RequestText headers={channel === 'push' ? {} : headers} body={raw ?? ''} />
        </Tabs.Panel>
        <Tabs.Panel value="text" className={classes.panel}>
          <LinkedText text={text} isMono />
        </Tabs.Panel>
        <Tabs.Panel value="headers" className={classes.panel}>
          <Headers headers={headers} />
        </Tabs.Panel>
      </Tabs>
    </article>
  );
}

function AsReceived({ message, htmlUrl }: MessageViewProps) {
  switch (message.channel) {
    case 'email':
      return htmlUrl ? (
        <iframe
          className={classes.frame}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          src={htmlUrl}
          title={`The message: ${titleOf(message)}`}
        />
      ) : (
        <LinkedText text={message.text} />
      );
    case 'webhook':
      return <RequestText headers={message.headers} body={message.text} />;
    case 'sms':
    case 'whatsapp':
      return <Conversation message={message} />;
    case 'slack':
      return <SlackMessage message={message} />;
    case 'push':
      return <PushMessage message={message} />;
  }
}

function Envelope({ message }: { message: InboxMessage }) {
  const { channel, provider, sender, recipient, subject, segments, headers, received_at } = message;
  const isMail = channel === 'email';
  const report = reportInWords(message);
  const fields = [
    { name: 'From', value: (isMail && headers.from) || sender || '–' },
    { name: 'To', value: (isMail && headers.to) || recipient },
    ...(isMail || channel === 'webhook' || subject !== '' ? [{ name: 'Subject', value: subject || '–' }] : []),
    ...methodField(message),
    ...(provider === null ? [] : [{ name: 'Through', value: viaOf(message) }]),
    ...(segments === null ? [] : [{ name: 'Length', value: segmentsInWords(segments) }]),
    ...(report === null ? [] : [{ name: 'Report', value: report }]),
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

/** The provider, with the channel unless the provider implies it: `Twilio, WhatsApp`. */
function viaOf({ provider, channel }: InboxMessage): string {
  const name = providerNames[provider ?? ''] ?? provider ?? '';
  return channel === 'slack' || channel === 'push' ? name : `${name}, ${channelLooks[channel].name}`;
}

/** The method of a webhook call is stored among its headers, under HTTP/2's name. */
function methodField({ channel, headers }: InboxMessage): { name: string; value: string }[] {
  const method = headers[':method'];
  return channel === 'webhook' && method ? [{ name: 'Method', value: method }] : [];
}
