import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { InboxMessage } from '#contract/inbox.ts';
import { useReplyToMessage } from '#web/api/inbox.ts';
import { notifyAnswer, notifyFailure } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './conversation.module.css';
import { reportInWords } from './message-words.ts';

/** Replies as the recipient: with free text, or with a keyword that carriers recognise. */
export function ReplyForm({ message: { id, recipient } }: { message: InboxMessage }) {
  const [text, setText] = useState('');
  const reply = useReplyToMessage(id);
  const send = async (words: string) => {
    try {
      const answer = await reply.mutateAsync(words);
      setText('');
      notifyAnswer(`${recipient} answered “${words}”`, whatBecameOf(answer));
    } catch (error) {
      notifyFailure('Error answering the message', error);
    }
  };
  const submit = useSubmit(async () => {
    if (text.trim() !== '') await send(text);
  });
  return (
    <form className={classes.reply} onSubmit={submit}>
      <div className={classes.quick}>
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
      </div>
      <div className={classes.write}>
        <TextInput
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
      </div>
    </form>
  );
}

const whatBecameOf = (answer: InboxMessage) =>
  `${reportInWords(answer) ?? 'The provider has no callback URL, so Cuebird does not receive this answer'}.`;
