import '@mantine/core/styles/Progress.layer.css';
import { Progress } from '@mantine/core';
import classes from './dialogs.module.css';

/** How many lines of a file are imported. */
export function ImportProgress({ lines, done }: { lines: number; done: number }) {
  const words = `${done.toLocaleString('en')} of ${lines.toLocaleString('en')} lines`;
  return (
    <div className={classes.progress}>
      <Progress.Root size="sm">
        <Progress.Section
          value={lines === 0 ? 0 : (100 * done) / lines}
          aria-label="Lines that are imported"
          aria-valuetext={words}
        />
      </Progress.Root>
      <span>{words}</span>
    </div>
  );
}
