import { Input } from '@mantine/core';
import { Copyable } from '#web/ui/Copyable.tsx';
import { draftOf, type Frame, providerOf } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';

/** Where the provider of a stored channel reports what became of its messages, to be written into its settings. */
export function CallbackAddress({ frame }: { frame: Frame }) {
  const { values } = useChannelFormContext();
  const { channel } = frame;
  if (!channel?.callback_url || providerOf(values, frame) !== providerOf(draftOf(channel), frame)) return null;
  return (
    <Input.Wrapper
      label="Call-back address"
      labelElement="div"
      description={
        channel.type === 'email'
          ? 'Where bounces come in: post each mail to the return address here, as it came (message/rfc822)'
          : 'Where the provider reports what became of a message, and what was replied'
      }
    >
      <Copyable text={channel.callback_url} label="Copy the call-back address" />
    </Input.Wrapper>
  );
}
