import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { type Channel, testMessage } from '#contract/channels.ts';
import { useDeleteChannel, useTestChannel } from '#web/api/channels.ts';
import { ApiError } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { notifyError, notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import prose from '#web/ui/prose.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

const loadForm = () => import('./form/ChannelDialog.tsx');
const ChannelDialog = lazy(loadForm);

/** The open dialog: a new channel, or an action on one. */
export type Asked = { to: 'add'; type: Channel['type'] } | { to: 'edit' | 'test' | 'delete'; channel: Channel };

export const useChannelDialogs = () => useDialogState<Asked>();

type ChannelDialogsProps = Pick<ReturnType<typeof useChannelDialogs>, 'state' | 'dialog'>;

/** The open dialog; each opening starts with fresh state. */
export function ChannelDialogs({ state: { asked, openCount }, dialog }: ChannelDialogsProps) {
  // The form is as large as the rest of the screen; it is preloaded while the list is shown.
  useEffect(() => void loadForm(), []);
  return <Suspense>{asked && <AskedDialog key={openCount} asked={asked} {...dialog} />}</Suspense>;
}

function AskedDialog({ asked, ...dialog }: { asked: Asked; opened: boolean; onClose: () => void }) {
  switch (asked.to) {
    case 'add':
      return <ChannelDialog type={asked.type} channel={null} {...dialog} />;
    case 'edit':
      return <ChannelDialog type={asked.channel.type} channel={asked.channel} {...dialog} />;
    case 'test':
      return <TestChannelDialog channel={asked.channel} {...dialog} />;
    case 'delete':
      return <DeleteChannelDialog channel={asked.channel} {...dialog} />;
    default:
      return asked satisfies never;
  }
}

type DeleteChannelDialogProps = { channel: Channel; opened: boolean; onClose: () => void };

/** Asks for confirmation before a channel is deleted. */
function DeleteChannelDialog({ channel, opened, onClose }: DeleteChannelDialogProps) {
  const { mutateAsync } = useDeleteChannel();
  return (
    <ActDialog
      title="Delete channel?"
      confirmLabel="Delete Channel"
      opened={opened}
      onClose={onClose}
      run={() => mutateAsync(channel.id)}
      done={['Channel deleted', `“${channel.name}” has been deleted`]}
      failed="Error deleting channel"
      removesOpener
    >
      <strong>{channel.name}</strong> and its configuration will be deleted. Reminders by{' '}
      {channelLooks[channel.type].name} use another channel of that type, if there is one. This cannot be undone.
    </ActDialog>
  );
}

type TestChannelDialogProps = { channel: Channel; opened: boolean; onClose: () => void };

/** Sends a real message through a channel. */
function TestChannelDialog({ channel, opened, onClose }: TestChannelDialogProps) {
  return (
    <Dialog title="Test Channel" opened={opened} onClose={onClose} width={520}>
      <TestChannelForm channel={channel} onDone={onClose} />
    </Dialog>
  );
}

type TestChannelFormProps = { channel: Channel; onDone: () => void };

function TestChannelForm({ channel, onDone }: TestChannelFormProps) {
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
        <Text className={prose.breaks}>
          Sends one real message through <strong>{channel.name}</strong>, now.
        </Text>
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
        {answer && (
          <Text className={prose.remark} data-tone="bad" fz={13}>
            {answer}
          </Text>
        )}
        <FormButtons onCancel={onDone} leftSection={<IconSend size={16} aria-hidden />} isBusy={isPending}>
          Send Test
        </FormButtons>
      </Stack>
    </form>
  );
}

/** The recipient field of the test dialog, by type: a webhook needs no recipient, a GET webhook needs a URL. */
function recipientFieldOf({ type, configuration }: Channel, email: string) {
  switch (type) {
    case 'email':
      return { label: 'Recipient', placeholder: 'you@example.com', begin: email, isRequired: true };
    case 'sms':
    case 'whatsapp':
      return { label: 'Recipient', placeholder: '+1234567890', begin: '', isRequired: true };
    case 'slack':
      return {
        label: 'Recipient',
        placeholder: '#general',
        begin: textOf(configuration.channel),
        isRequired: true,
        help: 'A note for you: Slack posts where the channel is configured to',
      };
    case 'webhook':
      return isGet(configuration)
        ? { label: 'URL', placeholder: 'https://example.com/hook', begin: textOf(configuration.url), isRequired: true }
        : {
            label: 'Recipient',
            placeholder: 'you@example.com',
            begin: '',
            isRequired: false,
            help: 'Named in the request; a URL is called instead of the channel’s own, with its headers and signature at trusted origins only',
          };
    default:
      return type satisfies never;
  }
}

/** The reason why a test cannot be sent, or null. */
function recipientProblem({ type, configuration }: Channel, recipient: string): string | null {
  if (type !== 'webhook') return recipient.trim() === '' ? 'Recipient required' : null;
  if (!isGet(configuration)) return null;
  const { protocol } = URL.parse(recipient.trim()) ?? { protocol: '' };
  return /^https?:$/.test(protocol) ? null : 'Please provide a valid URL for GET webhook testing';
}

/** The text of a failed test: GET webhooks and WAHA show only the remote error. */
function failureText({ type, configuration }: Channel, reason: string): string {
  const speaksForItself = (type === 'webhook' && isGet(configuration)) || configuration.provider === 'waha';
  return speaksForItself ? reason : `Failed to send test message. Please check your configuration. ${reason}`;
}

const isGet = (configuration: Channel['configuration']) => configuration.method === 'GET';
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
