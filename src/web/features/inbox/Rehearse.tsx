import { Button } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useEver } from '#web/ui/use-ever.ts';

const RehearseDialog = lazy(async () => ({ default: (await import('./RehearseDialog.tsx')).RehearseDialog }));

/** Opens the dialog in which failures are rehearsed. */
export function Rehearse() {
  const [opened, setOpened] = useState(false);
  const wasOpened = useEver(opened);
  return (
    <>
      <Button variant="default" leftSection={<IconFlask size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Rehearse failures
      </Button>
      <Suspense>{wasOpened && <RehearseDialog opened={opened} onClose={() => setOpened(false)} />}</Suspense>
    </>
  );
}
