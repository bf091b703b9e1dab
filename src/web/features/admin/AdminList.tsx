import type { ComponentProps, ReactNode } from 'react';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
import classes from './admin.module.css';
import { RowsSkeleton } from './RowsSkeleton.tsx';

type Column<Row> = { title: string; width?: 'status' | 'moment' | 'links'; cell: (row: Row) => ReactNode };

type AdminListProps<Row> = {
  /** What is listed, as in `Error loading unknown paths`. */
  noun: string;
  of: ComponentProps<typeof ListCard<Row>>['of'];
  empty: ComponentProps<typeof EmptyState>;
  keyOf: (row: Row) => string;
  /** The first is as wide as the others leave it. */
  columns: readonly Column<Row>[];
  /** On a phone the second column stands below the first. */
  isStacked?: boolean;
  /** Below the rows. */
  children?: (rows: readonly Row[]) => ReactNode;
};

/** A table of the console, as it loads, fails, is empty or full. */
export const AdminList = <Row,>({ noun, of, empty, keyOf, columns, isStacked, children }: AdminListProps<Row>) => (
  <ListCard
    label={noun.charAt(0).toUpperCase() + noun.slice(1)}
    of={of}
    failed={`Error loading ${noun}`}
    skeleton={<RowsSkeleton label={`Loading ${noun}`} />}
    empty={<EmptyState {...empty} />}
  >
    {(rows) => (
      <>
        <table className={isStacked ? `${classes.table} ${classes.runs}` : classes.table}>
          <thead>
            <tr>
              {columns.map(({ title, width }) => (
                <th key={title} className={width && classes[width]}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ title, width, cell }) => (
                  <td key={title} className={classes[width ?? 'main']}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {children?.(rows)}
      </>
    )}
  </ListCard>
);
