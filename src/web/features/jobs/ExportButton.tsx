import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useDialogState } from '#web/ui/use-dialog-state.ts';

const ExportDialog = lazy(() => import('./ExportDialog.tsx'));

/** Asks which jobs, or which deliveries, and of which days; by default the jobs that the list shows. */
export function ExportButton() {
  const { state, open, close } = useDialogState();
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconDownload size={15} aria-hidden />}
        onClick={() => open(true)}
      >
        Export
      </Button>
      <Suspense>
        {state.openCount > 0 && (
          <ExportDialog key={state.openCount} opened={state.isOpen} onClose={() => close(state.openCount)} />
        )}
      </Suspense>
    </>
  );
}
