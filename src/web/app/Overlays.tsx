import { Notifications } from '@mantine/notifications';
import { useSyncExternalStore } from 'react';
import { Maintenance } from './maintenance/Maintenance.tsx';
import classes from './Overlays.module.css';

/** What may cover any screen: toasts, the notice of being offline, the cover of maintenance. */
export default function Overlays() {
  return (
    <>
      <Toasts />
      <Maintenance />
      <OfflineLine />
    </>
  );
}

/** Says that the device is offline. What is shown is fetched again when it is online. */
function OfflineLine() {
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

// Above dialogs (200) and below menus (300), so that what a person has just opened stays usable.
const belowMenus = 250;

/** The toasts, at the top between a screen's title and its buttons: clear of those that end forms, dialogs, cards and rows, and of a phone's keyboard. Narrow windows show one at a time (`notify.tsx`). */
function Toasts() {
  return (
    <Notifications
      position="top-center"
      containerWidth={400}
      zIndex={belowMenus}
      transitionDuration={180}
      limit={8}
      className={classes.toasts ?? ''}
    />
  );
}
