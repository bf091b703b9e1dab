import { Box, Skeleton, Text } from '@mantine/core';
import type { ShownMessage } from '#contract/deliveries.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { indented } from '#web/api/try-request.ts';
import { useMessage } from '#web/api/jobs.ts';
import { CodeText } from '#web/ui/JsonText.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { shownMail } from '#web/ui/shown-mail.ts';
import classes from './DeliveryMessage.module.css';
import prose from '#web/ui/prose.module.css';

type To = { channel: ChannelType; recipient: string; isSent: boolean };

/** The message that a recipient got, or will get, with a note on how certain that is. */
export function DeliveryMessage({ jobId, to }: { jobId: string; to: To }) {
  return (
    <Box component="section" mt={12} aria-label="Message">
      <Loaded
        of={useMessage(jobId, to)}
        failed="Error loading the message"
        skeleton={<Skeleton height={120} radius="md" />}
      >
        {(data) => (
          <>
            <p className={classes.certainty}>
              <strong>Message</strong> {certainties[data.certainty]}
            </p>
            {data.certainty === 'lost' ? (
              <Text c="dimmed" className={prose.written}>
                {data.reason}
              </Text>
            ) : (
              <Message message={data.message} />
            )}
          </>
        )}
      </Loaded>
    </Box>
  );
}

const certainties = {
  sent: 'exactly as it was sent',
  changed: 'rendered again from saved content; its values have changed since, so the sent message was different',
  unverified: 'rendered again from saved content; nothing was kept to compare it with',
  unsent: 'as it would be sent now',
  lost: 'cannot be rendered again',
} as const;

function Message({ message }: { message: ShownMessage }) {
  switch (message.kind) {
    case 'email':
      return (
        <>
          <Facts facts={{ From: message.from, To: message.to, Subject: message.subject || '–' }} />
          {/* Links open in a new tab: the frame itself must load nothing. */}
          {message.html === null ? (
            <p className={classes.text}>{message.text}</p>
          ) : (
            <iframe
              className={classes.frame}
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              srcDoc={shownMail(message.html)}
              title={`The message: ${message.subject}`}
            />
          )}
        </>
      );
    case 'request':
      return (
        <>
          <Facts facts={{ Request: `${message.method} ${message.url}` }} />
          <dl className={classes.headers}>
            {message.headers.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value ?? <span className={classes.secret}>hidden</span>}</dd>
              </div>
            ))}
          </dl>
          {message.body !== '' && <CodeText label="Request body">{indented(message.body)}</CodeText>}
        </>
      );
    case 'text':
      return (
        <>
          {message.title !== null && <Facts facts={{ Subject: message.title }} />}
          <p className={classes.text}>{message.text}</p>
        </>
      );
    default:
      return message satisfies never;
  }
}

function Facts({ facts }: { facts: Record<string, string> }) {
  return (
    <dl className={classes.facts}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
