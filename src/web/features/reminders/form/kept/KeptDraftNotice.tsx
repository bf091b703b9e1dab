import { Box, Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { dayText } from '#web/ui/InstantText.tsx';
import classes from './KeptDraftNotice.module.css';
import type { KeptState, useKeptDraft } from './use-kept-draft.ts';

/** Tells the user about a draft of an earlier visit. */
export function KeptDraftNotice({ kept }: { kept: ReturnType<typeof useKeptDraft> }) {
  const { state } = kept;
  if (state.kind === 'none') return null;
  return (
    <div className={classes.notice} role="status">
      <IconHistory size={16} aria-hidden />
      <Box component="span" flex="1 1 200px">
        {wordsOf(state)}
      </Box>
      {state.kind === 'offered' && <Choice label="Restore" onClick={() => kept.bringBack(state.kept)} />}
      {state.kind === 'discarded' ? (
        <Choice label="Undo" onClick={() => kept.undoDiscard(state.draft)} />
      ) : (
        <Choice label="Discard" onClick={kept.discard} />
      )}
    </div>
  );
}

const Choice = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button size="compact-sm" variant="subtle" onClick={onClick}>
    {label}
  </Button>
);

function wordsOf(state: Exclude<KeptState, { kind: 'none' }>): string {
  switch (state.kind) {
    case 'restored':
      return `Your unsaved changes from ${whenText(state.savedAt, new Date())} have been restored`;
    case 'offered': {
      const when = whenText(state.kept.saved_at, new Date());
      return state.isOutdated
        ? `This reminder has been changed since. Your unsaved changes from ${when} are still stored; new changes are not stored until you restore or discard them.`
        : `Your unsaved changes from ${when} are still stored; new changes are not stored until you restore or discard them.`;
    }
    case 'discarded':
      return 'Your unsaved changes are discarded.';
    default:
      return state satisfies never;
  }
}

/** `14:03` today, `19 Nov 2026, 14:03` on another day. */
function whenText(at: string, now: Date): string {
  const zone = viewerZone();
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
  const day = dayText(at, zone);
  return day === dayText(now.toISOString(), zone) ? time : `${day}, ${time}`;
}
