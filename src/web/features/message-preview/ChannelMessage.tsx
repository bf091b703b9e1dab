import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChannelType } from '#contract/channel-types.ts';
import { escapeHtml } from '#domain/message-format/escape-html.ts';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';
import { MarkedText } from '#web/features/inbox/MarkedText.tsx';
import { type Piece, piecesOfSlack, piecesOfWhatsApp } from '#web/features/inbox/marked-text.ts';
import { shownMail } from '#web/ui/shown-mail.ts';
import classes from './ChannelMessage.module.css';
import { markedParts } from './channel-text.ts';
import { SilentMentions, SlackMentions } from './SlackMentions.tsx';

type ChannelMessageProps = {
  channel: ChannelType;
  subject: string;
  /** In the channel's notation. */
  body: string;
  /** The page of a mail; null where its text alone is shown. */
  html: string | null;
  /** Whom the text pings in Slack, if its channel allows it. */
  mentions: readonly string[];
  /** The id of the Slack channel that is preferred. */
  pinned?: string | undefined;
  /** Variables without a value, which the texts show as placeholders. */
  missing: readonly string[];
};

/** A message as its recipient sees it in this channel. */
export function ChannelMessage({ channel, subject, body, html, mentions, pinned, missing }: ChannelMessageProps) {
  const title = <WithPlaceholders text={subject} missing={missing} />;
  const text = <WithPlaceholders text={body || '…'} missing={missing} />;
  switch (channel) {
    case 'email':
      return <Mail title={title}>{html === null ? <p>{text}</p> : <MailFrame html={html} missing={missing} />}</Mail>;
    case 'webhook':
      return (
        <Mail title={title}>
          <p>{text}</p>
        </Mail>
      );
    case 'sms':
      return (
        <>
          <p className={classes.bubble}>{text}</p>
          <Text mt={6} fz="xs" c="dimmed" role="status">
            {inSegments(segmentsOf(body))} · {body.length.toLocaleString('en')} characters
          </Text>
        </>
      );
    case 'whatsapp':
      return <Chat pieces={piecesOfWhatsApp(body || '…')} />;
    case 'slack':
      return (
        <>
          <Chat title={title} pieces={piecesOfSlack(body || '…')} />
          {mentions.length > 0 && <SlackMentions mentions={mentions} pinned={pinned} />}
          <SilentMentions title={subject} text={body} />
        </>
      );
    case 'push':
      return (
        <div className={classes.bubble}>
          <strong>{title}</strong>
          <p>{text}</p>
        </div>
      );
    default:
      return channel satisfies never;
  }
}

const Chat = ({ title, pieces }: { title?: ReactNode; pieces: readonly Piece[] }) => (
  <div className={classes.bubble}>
    {title !== undefined && <strong>{title}</strong>}
    <p>
      <MarkedText pieces={pieces} />
    </p>
  </div>
);

const Mail = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <div className={classes.mail}>
    <p className={classes.subject}>{title}</p>
    {children}
  </div>
);

/** Nothing of a mail runs, and its links open in new tabs. */
function MailFrame({ html, missing }: { html: string; missing: readonly string[] }) {
  const shown = missing.reduce((page, name) => {
    const placeholder = escapeHtml(`{{${name}}}`);
    return page.replaceAll(placeholder, `<mark>${placeholder}</mark>`);
  }, html);
  return (
    <iframe
      className={classes.frame}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={shownMail(shown)}
      title="The message as mail"
    />
  );
}

function WithPlaceholders({ text, missing }: { text: string; missing: readonly string[] }) {
  return markedParts(text, missing).map((part, at) =>
    part.isMissing ? (
      // The parts are identified only by their position.
      <Box
        key={`${at} ${part.text}`}
        component="mark"
        px={2}
        bdrs="sm"
        c="var(--status-waiting)"
        bg="var(--status-waiting-ground)"
      >
        {part.text}
      </Box>
    ) : (
      part.text
    ),
  );
}
