import type { LastRun } from '#contract/reminders.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { lastRunText, lastRunTone } from './last-run.ts';
import classes from './LastRunText.module.css';

/** `1 Nov 2026, 190 of 192 sent`. */
export const LastRunText = ({ run, zone }: { run: LastRun; zone: string }) => (
  <>
    <InstantText at={run.scheduled_for} zone={zone} show="day" />,{' '}
    <span className={classes.text} data-tone={lastRunTone(run)}>
      {lastRunText(run)}
    </span>
  </>
);
