import { useCallback, useState } from 'react';
import type { Reach } from '#contract/reach.ts';
import { type ReachOf, readReach } from '#web/api/reach.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { reachesNobody, reachText } from './reach-words.ts';

type Asked = { why: string | null; answer: (isConfirmed: boolean) => void };

/** How many reminders of a selection are checked at most: each check counts its people. */
const mostAsked = 20;
const mostNamed = 5;

/**
 * Asks before something is activated that would reach nobody. `ask` resolves to whether to continue; it asks nothing where somebody
 * is reached, or where `isExpected` says that the server will refuse it anyway. `askForEach` asks once about several saved reminders.
 */
export function useNobodyQuestion() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);
  const confirm = (why: string | null) =>
    new Promise<boolean>((resolve) => {
      setAsked({ why, answer: resolve });
      setOpen(true);
    });
  const ask = useCallback(async (of: ReachOf, isExpected?: (reach: Reach) => boolean): Promise<boolean> => {
    // The server decides what may be saved: this only warns.
    const reach = await readReach({ of }).catch(() => null);
    if (reach === null || reach.is_event_awaited || !reachesNobody(reach) || isExpected?.(reach) === true) return true;
    const others = reach.counts.slice(1);
    return confirm(reach.refusal ?? (others.length > 0 ? reachText({ counts: others }) : null));
  }, []);
  const askForEach = useCallback(async (reminders: readonly { id: string; name: string }[]): Promise<boolean> => {
    const names: string[] = [];
    for (const { id, name } of reminders.slice(0, mostAsked)) {
      const reach = await readReach({ of: { reminderId: id } }).catch(() => null);
      if (reach !== null && !reach.is_event_awaited && reachesNobody(reach)) names.push(`“${name}”`);
    }
    if (names.length === 0) return true;
    const more = names.length - mostNamed;
    return confirm(
      `Nobody would get ${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`,
    );
  }, []);
  const close = (isConfirmed: boolean) => {
    setOpen(false);
    asked?.answer(isConfirmed);
  };
  const dialog = asked !== null && (
    <ConfirmDialog
      title="Nobody would get this reminder"
      confirmLabel="Activate anyway"
      color="cue"
      opened={isOpen}
      onClose={() => close(false)}
      onConfirm={() => close(true)}
    >
      {asked.why !== null && <p>{asked.why}.</p>}
      <p>Activate anyway?</p>
    </ConfirmDialog>
  );
  return { ask, askForEach, dialog };
}
