import type { ReachCount } from '#contract/reach.ts';
import { type ReachOf, useReach } from '#web/api/reach.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { isSame } from './ReachCounts.tsx';
import { ReachPeople } from './ReachPeople.tsx';
import { countText } from './reach-words.ts';

type ReachDialogProps = {
  of: ReachOf;
  /** The kind whose people are listed. */
  chosen: ReachCount;
  opened: boolean;
  onClose: () => void;
};

/** The people of one kind, each to be opened and mended. */
export default function ReachDialog({ of, chosen, opened, onClose }: ReachDialogProps) {
  const { data } = useReach(of);
  const now = data?.counts.find((count) => isSame(count, chosen)) ?? { ...chosen, people: data ? 0 : chosen.people };
  const title = now.people === 0 ? 'All mended' : countText(now);
  return (
    <Dialog title={title} opened={opened} onClose={onClose} width={600}>
      <ReachPeople of={of} kind={chosen} />
    </Dialog>
  );
}
