import { Box } from '@mantine/core';
import type { LastRun } from '#contract/reminders.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { lastRunText, lastRunTone } from './last-run.ts';

/** `1 Nov 2026, partly sent, 173 of 184 people`. */
export function LastRunText({ run, zone }: { run: LastRun; zone: string }) {
  const tone = lastRunTone(run);
  return (
    <>
      <InstantText at={run.scheduled_for} zone={zone} show="day" />,{' '}
      <Box component="span" {...(tone !== 'quiet' && { c: `var(--status-${tone})` })}>
        {lastRunText(run)}
      </Box>
    </>
  );
}
