import { useSimulatedFailures } from '#web/api/inbox.ts';
import { SimulatedFailureList } from './SimulatedFailureList.tsx';
import classes from './simulated-failure.module.css';

/** Warns above the messages that failures are simulated, because messages may be missing. */
export function SimulatedFailureNotice() {
  const { data } = useSimulatedFailures();
  if (!data || data.length === 0) return null;
  return (
    <section className={classes.notice} aria-label="Simulated failures">
      <strong>Failures are being simulated</strong>
      <SimulatedFailureList />
    </section>
  );
}
