import { Button } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useEver } from '#web/ui/use-ever.ts';

const SimulateFailuresDialog = lazy(async () => ({
  default: (await import('./SimulateFailuresDialog.tsx')).SimulateFailuresDialog,
}));

/** Opens the dialog for simulated failures. */
export function SimulateFailures() {
  const [opened, setOpened] = useState(false);
  const wasOpened = useEver(opened);
  return (
    <>
      <Button variant="default" leftSection={<IconFlask size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Simulate failures
      </Button>
      <Suspense>{wasOpened && <SimulateFailuresDialog opened={opened} onClose={() => setOpened(false)} />}</Suspense>
    </>
  );
}
