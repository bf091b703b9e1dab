import { Button, Group } from '@mantine/core';
import { useCallback, useState } from 'react';
import type { Reach } from '#contract/reach.ts';
import { type ReachOf, readReach } from '#web/api/reach.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { reachesNobody, reachText } from './reach-words.ts';

type Asked = { reach: Reach; answer: (isConfirmed: boolean) => void };

/**
 * Asks before something is activated that would reach nobody. `ask` resolves to whether to continue; it asks nothing where somebody
 * is reached, or where `isExpected` says that the server will refuse it anyway.
 */
export function useNobodyQuestion() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback(async (of: ReachOf, isExpected?: (reach: Reach) => boolean): Promise<boolean> => {
    // The server decides what may be saved: this only warns.
    const reach = await readReach({ of }).catch(() => null);
    if (reach === null || reach.is_event_awaited || !reachesNobody(reach) || isExpected?.(reach) === true) return true;
    return new Promise((resolve) => {
      setAsked({ reach, answer: resolve });
      setOpen(true);
    });
  }, []);
  const close = (isConfirmed: boolean) => {
    setOpen(false);
    asked?.answer(isConfirmed);
  };
  const others = asked?.reach.counts.slice(1) ?? [];
  const why = asked?.reach.refusal ?? (others.length > 0 ? reachText({ counts: others }) : null);
  const dialog = asked !== null && (
    <Dialog title="Nobody would get this reminder" opened={isOpen} onClose={() => close(false)} width={440}>
      {why !== null && <p>{why}.</p>}
      <p>Activate anyway?</p>
      <Group justify="flex-end" gap={8} mt="lg">
        <Button variant="default" onClick={() => close(false)} data-autofocus>
          Cancel
        </Button>
        <Button onClick={() => close(true)}>Activate anyway</Button>
      </Group>
    </Dialog>
  );
  return { ask, dialog };
}
