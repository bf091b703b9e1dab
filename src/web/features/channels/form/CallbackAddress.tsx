import { Input } from '@mantine/core';
import { Copyable } from '#web/ui/Copyable.tsx';
import { draftOf, type Frame, providerOf } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';

/** The callback URL of a saved channel, to be entered in the provider's settings for delivery reports. */
export function CallbackAddress({ frame }: { frame: Frame }) {
  const { values } = useChannelFormContext();
  const { channel } = frame;
  if (!channel?.callback_url || providerOf(values, frame) !== providerOf(draftOf(channel), frame)) return null;
  return (
    <Input.Wrapper
      label="Callback URL"
      labelElement="div"
      description={
        channel.type === 'email'
          ? 'For bounces: POST each mail that the return address receives to this URL, unchanged (message/rfc822)'
          : 'For the provider’s delivery reports and replies'
      }
    >
      <Copyable text={channel.callback_url} label="Copy the callback URL" />
    </Input.Wrapper>
  );
}
