import { lazy, Suspense, useEffect, useState } from 'react';
import type { Channel } from '#contract/channels.ts';
import { DeleteChannelDialog } from './DeleteChannelDialog.tsx';
import { TestChannelDialog } from './TestChannelDialog.tsx';

const loadForm = () => import('./form/ChannelDialog.tsx');
const ChannelDialog = lazy(loadForm);

/** What is asked for: a new channel, or something to be done with one. */
export type Asked = { to: 'add'; type: Channel['type'] } | { to: 'edit' | 'test' | 'delete'; channel: Channel };

/** `turn` counts the openings. What was asked stays while its dialog closes, so that it does not empty before it is gone. */
type State = { asked: Asked | null; isOpen: boolean; turn: number };

export function useChannelDialogs() {
  const [state, setState] = useState<State>({ asked: null, isOpen: false, turn: 0 });
  return {
    state,
    open: (asked: Asked) => setState(({ turn }) => ({ asked, isOpen: true, turn: turn + 1 })),
    // An answer that comes late must not close the dialog of a later turn.
    close: (turn: number) => setState((now) => (now.turn === turn ? { ...now, isOpen: false } : now)),
  };
}

type ChannelDialogsProps = Pick<ReturnType<typeof useChannelDialogs>, 'state' | 'close'>;

/** The dialog that was asked for; each opening begins anew. */
export function ChannelDialogs({ state: { asked, isOpen, turn }, close }: ChannelDialogsProps) {
  // With its inputs it weighs as much as the rest of the screen; it arrives while the list is looked at.
  useEffect(() => void loadForm(), []);
  return (
    <Suspense>{asked && <AskedDialog key={turn} asked={asked} opened={isOpen} onClose={() => close(turn)} />}</Suspense>
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
