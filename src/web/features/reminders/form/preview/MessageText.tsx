import type { ChannelType } from '#contract/channel-types.ts';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';
import type { Previewed } from '#domain/template-preview.ts';
import { markedParts } from './channel-text.ts';
import classes from './MessagePreview.module.css';

type MessageTextProps = {
  channel: ChannelType;
  filled: Previewed;
  /** The reminder's name, shown when there is no subject. */
  name: string;
};

/** The parts of the message that this channel delivers, in its format. */
export function MessageText({ channel, filled, name }: MessageTextProps) {
  const { subject, body, missing } = filled;
  const message = <Marked text={body || '…'} missing={missing} />;
  const title = <Marked text={subject || name} missing={missing} />;
  switch (channel) {
    case 'email':
    case 'webhook':
      return (
        <div className={classes.mail}>
          <p className={classes.subject}>{title}</p>
          <p>{message}</p>
        </div>
      );
    case 'sms':
      return (
        <>
          <p className={classes.bubble}>{message}</p>
          <p className={classes.count} role="status">
            {inSegments(segmentsOf(body))} · {body.length.toLocaleString('en')} characters
          </p>
        </>
      );
    case 'whatsapp':
      return <p className={classes.bubble}>{message}</p>;
    case 'slack':
    case 'push':
      return (
        <div className={classes.bubble}>
          <strong>{title}</strong>
          <p>{message}</p>
        </div>
      );
    default:
      return channel satisfies never;
  }
}

function Marked({ text, missing }: { text: string; missing: readonly string[] }) {
  return markedParts(text, missing).map((part, at) =>
    part.isMissing ? (
      // The parts are identified only by their position.
      <mark key={`${at} ${part.text}`} className={classes.missing}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
