import { Button } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';

const SendingHoursDialog = lazy(() => import('./SendingHoursDialog.tsx'));

/** Opens the dialog with fresh state; the content stays while the dialog closes. */
export function SendingHoursButton({ workspace }: { workspace: Workspace }) {
  const {
    state: { openCount },
    dialog,
    open,
  } = useDialogState();
  return (
    <>
      <Button variant="default" leftSection={<IconClock size={16} aria-hidden />} onClick={() => open(true)}>
        Sending hours
      </Button>
      <Suspense>{openCount > 0 && <SendingHoursDialog key={openCount} workspace={workspace} {...dialog} />}</Suspense>
    </>
  );
}
