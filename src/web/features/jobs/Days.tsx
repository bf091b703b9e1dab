import { DayInput } from '#web/ui/pickers/DayInput.tsx';
import { useJobsSearch } from './jobs-search.ts';
import classes from './PhraseMenu.module.css';

/** The first and the last day of a filter by any days. */
export default function Days() {
  const { from = '', to = '', change } = useJobsSearch();
  return (
    <>
      <DayInput
        className={classes.day ?? ''}
        aria-label="First day"
        max={to}
        value={from}
        onChange={(day) => change({ from: day }, { replace: true })}
      />
      to
      <DayInput
        className={classes.day ?? ''}
        aria-label="Last day"
        min={from}
        value={to}
        onChange={(day) => change({ to: day }, { replace: true })}
      />
    </>
  );
}
