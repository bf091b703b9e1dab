import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { z } from 'zod';
import type { ChannelType } from '#contract/channel-types.ts';
import type { OwnTestBody } from '#contract/reminder-tests.ts';
import { useSendToMyself } from '#web/api/reminders.ts';
import { useSession } from '#web/api/session.ts';
import { act } from '#web/ui/act.ts';

type SendToMyselfProps = { channel: ChannelType; message: Omit<z.input<typeof OwnTestBody>, 'channel'> };

/** Sends what is previewed to the person who looks at it, where the channel knows their address. */
export function SendToMyself({ channel, message }: SendToMyselfProps) {
  const { mutateAsync, isPending } = useSendToMyself();
  const session = useSession();
  if (channel !== 'email' && channel !== 'push') return null;
  const to = channel === 'email' ? (session?.user.email ?? 'your address') : 'the browsers in which you turned push on';
  const send = () =>
    act(mutateAsync({ channel, ...message }), {
      done: ['Test sent', `This message is on its way to ${to}.`],
      failed: 'The test could not be sent',
    });
  return (
    <Button
      variant="default"
      leftSection={<IconSend size={16} aria-hidden />}
      loading={isPending}
      disabled={message.message.trim() === ''}
      onClick={() => void send()}
    >
      Send to myself
    </Button>
  );
}
