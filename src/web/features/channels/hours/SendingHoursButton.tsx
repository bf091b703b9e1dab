import { Button } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';

const SendingHoursDialog = lazy(() => import('./SendingHoursDialog.tsx'));

/** Opens the dialog; each opening begins anew, and what stands in it stays while it closes. */
export function SendingHoursButton() {
  const [{ turn, isOpen }, setState] = useState({ turn: 0, isOpen: false });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconClock size={16} aria-hidden />}
        onClick={() => setState((now) => ({ turn: now.turn + 1, isOpen: true }))}
      >
        Sending hours
      </Button>
      <Suspense>
        {turn > 0 && (
          <SendingHoursDialog
            key={turn}
            opened={isOpen}
            // An answer that comes late must not close the dialog of a later turn.
            onClose={() => setState((now) => (now.turn === turn ? { ...now, isOpen: false } : now))}
          />
        )}
      </Suspense>
    </>
  );
}
