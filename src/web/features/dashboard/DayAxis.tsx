import { dayText } from '#web/ui/InstantText.tsx';
import classes from './DeliveryChart.module.css';

/** Below rows of bars: their first and last day, and how they are scaled. */
export const DayAxis = ({ from, to }: { from: string; to: string }) => (
  <div className={classes.axis} aria-hidden>
    <span>{dayText(from, 'UTC')}</span>
    <span className={classes.scale}>Each row has its own scale</span>
    <span>{dayText(to, 'UTC')}</span>
  </div>
);
