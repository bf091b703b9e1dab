import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '#web/api/client.ts';
import classes from './ScreenError.module.css';

/** Replaces a screen that threw. It uses no design system, because the design files may have failed to load. */
export function ScreenError({ error }: ErrorComponentProps) {
  const [id, setId] = useState(error instanceof ApiError ? error.requestId : null);
  useEffect(() => {
    console.error('This screen broke', error);
    import('./error-report.ts')
      .then(({ reportError }) => reportError(error, 'screen'))
      .then((reported) => setId((known) => known ?? reported))
      // The file with the report may be missing, like that of the screen.
      .catch(() => {});
  }, [error]);
  return (
    <div className={classes.error} role="alert">
      <h1 className={classes.title}>Something went wrong</h1>
      <p>This screen could not be shown. Your data is safe; trying again usually helps.</p>
      <p className={classes.actions}>
        <button type="button" className={classes.action} onClick={() => window.location.reload()}>
          Try again
        </button>
        <a href="/dashboard" className={classes.action}>
          To the dashboard
        </a>
      </p>
      {id !== null && (
        <p className={classes.id}>
          If you ask for support, quote <code>{id}</code>
        </p>
      )}
    </div>
  );
}
