import { IconMailOpened } from '@tabler/icons-react';
import { EmptyState } from '#web/ui/EmptyState.tsx';

/** The message pane before a message is selected. */
export function NoMessage() {
  return (
    <EmptyState
      icon={IconMailOpened}
      title="Choose a message"
      sentence="It is shown as its recipient would get it, with its text and headers."
    />
  );
}
