import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

/** A note that does not block the user. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className={classes.notice} role="status">
      <IconAlertTriangle size={16} aria-hidden />
      <div className={classes.words}>{children}</div>
    </div>
  );
}
