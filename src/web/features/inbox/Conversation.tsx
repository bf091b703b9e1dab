import { ActionIcon, Button, Flex, Skeleton, Text, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { InboxMessage } from '#contract/inbox.ts';
import { useInboxMessage, useInboxReplies, useReplyToMessage } from '#web/api/inbox.ts';
import { act } from '#web/ui/act.ts';
import { Loaded } from '#web/ui/Record.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { notifyAnswer } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { MarkedText } from './MarkedText.tsx';
import classes from './conversation.module.css';
import { piecesOfSms, piecesOfWhatsApp } from './marked-text.ts';
import prose from '#web/ui/prose.module.css';
import { reportInWords, segmentsInWords } from './message-words.ts';
import card from '#web/ui/card.module.css';

/** An SMS or WhatsApp message on its recipient's phone; replies are shown below it. */
export function Conversation({ message }: { message: InboxMessage }) {
  return message.reply_to === null ? <Phone message={message} /> : <PhoneOf id={message.reply_to} />;
}

const PhoneOf = ({ id }: { id: string }) => (
  <Loaded of={useInboxMessage(id)} failed="Error loading the message" skeleton={<Skeleton height={240} maw={420} />}>
    {(message) => <Phone message={message} />}
  </Loaded>
);

function Phone({ message }: { message: InboxMessage }) {
  const replies = useInboxReplies(message.id);
  const { icon: Icon, name } = channelLooks[message.channel];
  return (
    <section className={classes.phone} aria-label={`The phone of ${message.recipient}`}>
      <header className={classes.contact}>
        <span className={classes.avatar}>
          <Icon size={18} stroke={1.6} aria-hidden />
        </span>
        <Flex component="span" direction="column" miw={0} className={prose.breaks}>
          <strong>{message.sender}</strong>
          <span className={card.small}>{name}</span>
        </Flex>
      </header>
      <Flex component="ol" direction="column" gap={12} flex={1} mih={160} p={16}>
        <Bubble message={message} />
        {replies.data?.map((reply) => (
          <Bubble key={reply.id} message={reply} />
        ))}
      </Flex>
      <Loaded of={replies} failed="Error loading the answers" skeleton={null}>
        {() => null}
      </Loaded>
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
      <Text span px={4} fz="xs" lh="1rem" c="dimmed">
        {segments !== null && `${segmentsInWords(segments)} · `}
        <RelativeTime at={received_at} />
      </Text>
    </li>
  );
}

/** Replies as the recipient: with free text, or with a keyword that carriers recognise. */
function ReplyForm({ message: { id, recipient } }: { message: InboxMessage }) {
  const [text, setText] = useState('');
  const reply = useReplyToMessage(id);
  const send = (words: string) =>
    act(
      reply.mutateAsync(words).then((answer) => {
        setText('');
        notifyAnswer(`${recipient} answered “${words}”`, whatBecameOf(answer));
      }),
      { failed: 'Error answering the message' },
    );
  const submit = useSubmit(async () => {
    if (text.trim() !== '') await send(text);
  });
  return (
    <form className={classes.reply} onSubmit={submit}>
      <Flex gap={8} className={classes.quick}>
        {['STOP', 'START'].map((word) => (
          <Button
            key={word}
            size="xs"
            variant="default"
            aria-label={`Reply ${word}`}
            disabled={reply.isPending}
            onClick={() => void send(word)}
          >
            Reply {word}
          </Button>
        ))}
      </Flex>
      <Flex gap={8}>
        <TextInput
          flex={1}
          aria-label={`Answer as ${recipient}`}
          placeholder={`Answer as ${recipient}`}
          value={text}
          maxLength={1_600}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ActionIcon
          type="submit"
          size={36}
          aria-label="Send the answer"
          disabled={text.trim() === ''}
          loading={reply.isPending}
        >
          <IconSend size={16} aria-hidden />
        </ActionIcon>
      </Flex>
    </form>
  );
}

const whatBecameOf = (answer: InboxMessage) =>
  `${reportInWords(answer) ?? 'The provider has no callback URL, so Cuebird does not receive this answer'}.`;
