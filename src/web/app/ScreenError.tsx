import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import classes from './ScreenError.module.css';

/** Replaces a screen that threw. It uses no design system, because the design files may have failed to load. */
export function ScreenError({ error }: ErrorComponentProps) {
  useEffect(() => console.error('This screen broke', error), [error]);
  return (
    <div className={classes.error} role="alert">
      <h1 className={classes.title}>Something went wrong</h1>
      <p>This screen could not be shown. Your data is safe; reloading usually helps.</p>
      <button type="button" className={classes.button} onClick={() => window.location.reload()}>
        Reload
      </button>
    </div>
  );
}
