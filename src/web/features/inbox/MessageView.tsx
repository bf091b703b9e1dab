import { Anchor, Box, Tabs, Text, Title } from '@mantine/core';
import type { InboxMessage } from '#contract/inbox.ts';
import { webAddresses } from '#domain/web-addresses.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { CodeText, JsonText } from '#web/ui/JsonText.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Conversation } from './Conversation.tsx';
import { MarkedText } from './MarkedText.tsx';
import classes from './inbox.module.css';
import { piecesOfSlack } from './marked-text.ts';
import prose from '#web/ui/prose.module.css';
import { headingOf, providerNames, reportInWords, segmentsInWords, titleOf } from './message-words.ts';

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
      <Title order={2} className={prose.breaks}>
        {heading}
      </Title>
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

/** Plain text with line breaks and clickable URLs. */
function LinkedText({ text, isMono = false }: { text: string; isMono?: boolean }) {
  if (text.trim() === '') return 'This message has no text part.';
  return (
    <Box lh="1.375rem" className={`${prose.written} ${isMono ? 'mono' : ''}`}>
      {text.split(webAddresses).map((part, index) =>
        // `split` puts the captured URLs at odd indexes.
        index % 2 === 1 ? (
          <Anchor key={index} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </Anchor>
        ) : (
          part
        ),
      )}
    </Box>
  );
}

/** A notification as a browser shows it. */
function PushMessage({ message }: { message: InboxMessage }) {
  return (
    <section className={classes.notification} aria-label="The notification">
      <Logo size={32} />
      <Box miw={0} className={prose.breaks}>
        <p className={classes.by}>
          <strong>{titleOf(message)}</strong>
        </p>
        <Text className={prose.written}>{message.text}</Text>
        <Text mt={4} fz="xs" c="dimmed">
          Cuebird · <RelativeTime at={message.received_at} />
        </Text>
      </Box>
    </section>
  );
}

/** A message in its Slack channel. */
function SlackMessage({ message }: { message: InboxMessage }) {
  const at = new Date(message.received_at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return (
    <section className={classes.slack} aria-label={`The Slack channel ${message.recipient}`}>
      <header className={classes.channel}>{message.recipient}</header>
      <div className={classes.post}>
        <span className={classes.app}>
          <Logo size={24} />
        </span>
        <Box miw={0} className={prose.breaks}>
          <p className={classes.by}>
            <strong>{message.sender}</strong>
            <span className={classes.tag}>App</span>
            <time dateTime={message.received_at}>{at}</time>
          </p>
          <MarkedText pieces={piecesOfSlack(message.text)} />
        </Box>
      </div>
    </section>
  );
}

/** A request body: JSON indented, form data field by field, anything else unchanged. */
function RequestText({ headers, body }: { headers: InboxMessage['headers']; body: string }) {
  if (body === '') return 'The request had no body.';
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return <Headers headers={Object.fromEntries(new URLSearchParams(body))} />;
  const parsed = parsedJson(body);
  return parsed === undefined ? (
    <CodeText label="Request body">{body}</CodeText>
  ) : (
    <JsonText value={parsed} label="Request body" />
  );
}

function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The headers, in monospace. */
function Headers({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  if (entries.length === 0) return 'No headers.';
  return (
    <dl className={classes.headers}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
