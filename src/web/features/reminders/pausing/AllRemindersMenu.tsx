import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useRemindersSearch } from '#web/features/reminders/reminders-search.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { ActionsMenu } from '#web/ui/ActionsMenu.tsx';
import { useActOnAll } from './act-on-all.ts';
import { useAllPaused } from './use-all-paused.ts';

/** What can be done with all reminders at once; for owners and administrators. */
export function AllRemindersMenu() {
  const { role } = useWorkspace().workspace;
  const { change } = useRemindersSearch();
  const { resume } = useActOnAll();
  const isPaused = useAllPaused() !== null;
  if (role === 'member') return null;
  const pause = { label: 'Pause all until…', icon: IconPlayerPause, onChoose: () => change({ pause: 'all' }) };
  const resumeNow = { label: 'Resume all now', icon: IconPlayerPlay, onChoose: resume };
  return (
    <ActionsMenu
      label="Actions for all reminders"
      width={220}
      variant="default"
      size={36}
      flex="none"
      acts={isPaused ? [pause, resumeNow] : [pause]}
    />
  );
}
