import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

/** A note that does not block the user; as an `alert` it is read out at once. */
export function Notice({ role = 'status', children }: { role?: 'status' | 'alert'; children: ReactNode }) {
  return (
    <div className={classes.notice} role={role}>
      <IconAlertTriangle size={16} aria-hidden />
      <div className={classes.words}>{children}</div>
    </div>
  );
}
