import { Stack, Textarea, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { type Channel, testMessage } from '#contract/channels.ts';
import { ApiError } from '#web/api/client.ts';
import { useTestChannel } from '#web/api/channels.ts';
import { useSession } from '#web/api/session.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { notifyError, notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './TestChannelForm.module.css';
import { failureText, recipientFieldOf, recipientProblem } from './test-words.ts';

type TestChannelFormProps = { channel: Channel; onDone: () => void };

export function TestChannelForm({ channel, onDone }: TestChannelFormProps) {
  const field = recipientFieldOf(channel, useSession()?.user.email ?? '');
  const [recipient, setRecipient] = useState(field.begin);
  const [message, setMessage] = useState(testMessage);
  const [problem, setProblem] = useState<string | null>(null);
  const [answer, setAnswer] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { mutateAsync, isPending } = useTestChannel();

  const refuse = (why: string) => {
    setProblem(why);
    input.current?.focus();
  };
  const submit = useSubmit(async () => {
    const why = recipientProblem(channel, recipient);
    if (why) return refuse(why);
    setAnswer(null);
    // The result is handled here and not in a mutation callback: the dialog may be closed before the response, and the
    // toast is still shown.
    try {
      const check = await mutateAsync({ id: channel.id, recipient: recipient.trim(), message });
      if (check.success) {
        notifySuccess('Test successful', check.message);
        return onDone();
      }
      const text = failureText(channel, check.message);
      notifyError('Test failed', text);
      setAnswer(text);
    } catch (error) {
      notifyFailure('Test failed', error, 'Failed to send test message. Please check your configuration.');
      if (error instanceof ApiError && error.fields[0]?.path === 'recipient') refuse(error.fields[0].message);
    }
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <p className={classes.sentence}>
          Sends one real message through <strong>{channel.name}</strong>, now.
        </p>
        <TextInput
          ref={input}
          label={field.label}
          description={field.help}
          placeholder={field.placeholder}
          required={field.isRequired}
          maxLength={2_000}
          data-autofocus
          value={recipient}
          error={problem}
          onChange={({ currentTarget }) => {
            setRecipient(currentTarget.value);
            setProblem(null);
          }}
        />
        <Textarea
          label="Message"
          rows={3}
          maxLength={10_000}
          value={message}
          onChange={({ currentTarget }) => setMessage(currentTarget.value)}
        />
        {answer && <p className={classes.answer}>{answer}</p>}
        <FormButtons onCancel={onDone} leftSection={<IconSend size={16} aria-hidden />} isBusy={isPending}>
          Send Test
        </FormButtons>
      </Stack>
    </form>
  );
}
