import { useSyncExternalStore } from 'react';
import classes from './OfflineLine.module.css';

/** Says that the device has no connection. What is shown is asked for again when it has one. */
export function OfflineLine() {
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine);
  return (
    <div role="status" className={classes.status}>
      {!isOnline && <p className={classes.line}>You are offline. What you see may be out of date.</p>}
    </div>
  );
}

function follow(listener: () => void): () => void {
  const events = ['online', 'offline'] as const;
  for (const event of events) window.addEventListener(event, listener);
  return () => {
    for (const event of events) window.removeEventListener(event, listener);
  };
}
