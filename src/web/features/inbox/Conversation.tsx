import { Skeleton } from '@mantine/core';
import type { InboxMessage } from '#contract/inbox.ts';
import { useInboxMessage, useInboxReplies } from '#web/api/inbox.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import classes from './conversation.module.css';
import { MarkedText } from './MarkedText.tsx';
import { piecesOfSms, piecesOfWhatsApp } from './marked-text.ts';
import { segmentsInWords } from './message-words.ts';
import { ReplyForm } from './ReplyForm.tsx';

/** An SMS or WhatsApp message on its recipient's phone; replies are shown below it. */
export function Conversation({ message }: { message: InboxMessage }) {
  return message.reply_to === null ? <Phone message={message} /> : <PhoneOf id={message.reply_to} />;
}

function PhoneOf({ id }: { id: string }) {
  const { data: message, error, isFetching, refetch } = useInboxMessage(id);
  if (message) return <Phone message={message} />;
  if (!error) return <Skeleton height={240} maw={420} />;
  return (
    <ErrorState
      title="Error loading the message"
      error={error}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
    />
  );
}

function Phone({ message }: { message: InboxMessage }) {
  const replies = useInboxReplies(message.id);
  const { icon: Icon, name } = channelLooks[message.channel];
  return (
    <section className={classes.phone} aria-label={`The phone of ${message.recipient}`}>
      <header className={classes.contact}>
        <span className={classes.avatar}>
          <Icon size={18} stroke={1.6} aria-hidden />
        </span>
        <span className={classes.names}>
          <strong>{message.sender}</strong>
          <span>{name}</span>
        </span>
      </header>
      <ol className={classes.bubbles}>
        <Bubble message={message} />
        {replies.data?.map((reply) => (
          <Bubble key={reply.id} message={reply} />
        ))}
      </ol>
      {replies.error && (
        <ErrorState
          title="Error loading the answers"
          error={replies.error}
          onRetry={() => void replies.refetch()}
          isRetrying={replies.isFetching}
        />
      )}
      <ReplyForm message={message} />
    </section>
  );
}

function Bubble({ message }: { message: InboxMessage }) {
  const { text, channel, segments, received_at } = message;
  const isAnswer = message.reply_to !== null;
  const pieces = channel === 'whatsapp' ? piecesOfWhatsApp(text) : piecesOfSms(text);
  return (
    <li className={classes.line} data-mine={isAnswer || undefined}>
      <div className={classes.bubble} data-channel={channel}>
        <MarkedText pieces={pieces} />
      </div>
      <span className={classes.note}>
        {segments !== null && `${segmentsInWords(segments)} · `}
        <RelativeTime at={received_at} />
      </span>
    </li>
  );
}
