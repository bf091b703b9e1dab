import { Button } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import classes from '#web/ui/banner.module.css';
import { useActOnAll } from './act-on-all.ts';

/** On every screen while all reminders are paused. */
export default function AllPausedBanner({ until }: { until: string }) {
  const { role } = useWorkspace().workspace;
  const { resume, isResuming } = useActOnAll();
  return (
    <section className={classes.banner} aria-label="Pause of all reminders">
      <div className={classes.inner}>
        <IconPlayerPause size={18} aria-hidden />
        <p className={classes.words}>
          <strong>
            All reminders are paused until <InstantText at={until} />.
          </strong>{' '}
          Then they go on by themselves. What comes due before is skipped.
        </p>
        {role !== 'member' && (
          <Button size="compact-sm" variant="default" loading={isResuming} onClick={() => void resume()}>
            Resume now
          </Button>
        )}
      </div>
    </section>
  );
}
