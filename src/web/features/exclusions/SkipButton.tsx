import { Button } from '@mantine/core';
import type { ReachPerson } from '#contract/reach.ts';
import { useSkipWithUndo } from './skip-with-undo.ts';

/** Skips a run that lies ahead for somebody who would get it, or sends it to them after all. Nothing for an address that is no contact. */
export function SkipButton({ jobId, person }: { jobId: string; person: ReachPerson }) {
  const { contact_id: contactId, facts, is_reached: isReached } = person;
  const { skipRun, sendAfterAll, isBusy } = useSkipWithUndo();
  const isSkipped = facts.some(({ kind }) => kind === 'skipped');
  if (contactId === null || (!isSkipped && !isReached)) return null;
  const name = person.name ?? person.targets[0]?.recipient ?? '';
  const skip = { jobId, contactId, name };
  return (
    <Button
      flex="none"
      variant="default"
      size="xs"
      aria-label={isSkipped ? `Send after all: ${name}` : `Skip it for ${name}`}
      loading={isBusy(skip)}
      onClick={() => (isSkipped ? sendAfterAll(skip) : skipRun(skip))}
    >
      {isSkipped ? 'Send after all' : 'Skip'}
    </Button>
  );
}
