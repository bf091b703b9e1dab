import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

/** Something to know before going on; stands in nobody's way. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className={classes.notice} role="status">
      <IconAlertTriangle size={16} aria-hidden />
      <div className={classes.words}>{children}</div>
    </div>
  );
}
