import { lazy, Suspense, useEffect } from 'react';
import type { Channel } from '#contract/channels.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { DeleteChannelDialog } from './DeleteChannelDialog.tsx';
import { TestChannelDialog } from './TestChannelDialog.tsx';

const loadForm = () => import('./form/ChannelDialog.tsx');
const ChannelDialog = lazy(loadForm);

/** The open dialog: a new channel, or an action on one. */
export type Asked = { to: 'add'; type: Channel['type'] } | { to: 'edit' | 'test' | 'delete'; channel: Channel };

export const useChannelDialogs = () => useDialogState<Asked>();

type ChannelDialogsProps = Pick<ReturnType<typeof useChannelDialogs>, 'state' | 'close'>;

/** The open dialog; each opening starts with fresh state. */
export function ChannelDialogs({ state: { asked, isOpen, openCount }, close }: ChannelDialogsProps) {
  // The form is as large as the rest of the screen; it is preloaded while the list is shown.
  useEffect(() => void loadForm(), []);
  return (
    <Suspense>
      {asked && <AskedDialog key={openCount} asked={asked} opened={isOpen} onClose={() => close(openCount)} />}
    </Suspense>
  );
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
