import { useRehearsals } from '#web/api/inbox.ts';
import { RehearsalList } from './RehearsalList.tsx';
import classes from './rehearsal.module.css';

/** Says above the messages that failures are rehearsed, so that nobody wonders why nothing comes. */
export function RehearsalNotice() {
  const { data } = useRehearsals();
  if (!data || data.length === 0) return null;
  return (
    <section className={classes.notice} aria-label="Rehearsed failures">
      <strong>Failures are being rehearsed</strong>
      <RehearsalList />
    </section>
  );
}
