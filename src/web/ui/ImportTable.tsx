import '@mantine/core/styles/Progress.layer.css';
import { Progress, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './ImportTable.module.css';

// What an import makes of a file, for contacts and for whole workspaces.

type ImportTableProps = {
  label: string;
  titles: readonly string[];
  /** Whether the first column is the number of a line. */
  isNumbered?: boolean;
  children: ReactNode;
};

/** The lines of a file with what becomes of each; it scrolls below its titles. */
export const ImportTable = ({ label, titles, isNumbered, children }: ImportTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach scrollable content
  <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
    <table className={classes.table} data-numbered={isNumbered}>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title}>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

type ImportProgressProps = { noun: 'lines' | 'items'; all: number; done: number; note?: string };

/** How much of a file is imported. */
export function ImportProgress({ noun, all, done, note = '' }: ImportProgressProps) {
  const words = `${done.toLocaleString('en')} of ${all.toLocaleString('en')} ${noun}`;
  return (
    <Stack gap={6}>
      <Progress.Root size="sm">
        <Progress.Section
          value={all === 0 ? 0 : (100 * done) / all}
          aria-label={`${noun === 'lines' ? 'Lines' : 'Items'} that are imported`}
          aria-valuetext={words}
        />
      </Progress.Root>
      <span>
        {words}
        {note}
      </span>
    </Stack>
  );
}
