import { VisuallyHidden } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import classes from './list.module.css';

export type Column<Row> = {
  title: string;
  /** The title is for screen readers only. */
  isUntitled?: boolean;
  /** As CSS has it. The columns without one share what is left. */
  width?: number | string;
  isNumber?: boolean;
  /**
   * Where no cards stand in for the table: `wide` is left out on a tablet and a phone. On a phone a row becomes a few
   * lines, of which a `line` has one of its own, and the `corner` is at the right of the first. A `labelled` cell repeats its title there.
   */
  narrow?: 'wide' | 'line' | 'corner' | 'labelled';
  className?: string | undefined;
  cell(row: Row): ReactNode;
};

type TableProps<Row> = { rows: readonly Row[]; columns: readonly Column<Row>[]; className?: string | undefined };

/** Rows that are known already, in a card. */
export const Table = <Row extends { id: string }>({ rows, columns, className = classes.table }: TableProps<Row>) => (
  <table className={className}>
    <thead>
      <tr>
        {columns.map(({ title, isUntitled, width, ...column }) => (
          <th key={title} style={{ width }} className={classOf(column)}>
            {isUntitled ? <VisuallyHidden>{title}</VisuallyHidden> : title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <TableRow key={row.id} row={row} columns={columns} />
      ))}
    </tbody>
  </table>
);

/** Drawn again only where its row or the columns have changed: a list may have a thousand. */
const TableRow = memo(({ row, columns }: { row: { id: string }; columns: readonly Column<{ id: string }>[] }) => (
  <tr>
    {columns.map(({ title, cell, ...column }) => (
      <td key={title} className={classOf(column)} data-label={column.narrow === 'labelled' ? title : undefined}>
        {cell(row)}
      </td>
    ))}
  </tr>
));

const classOf = ({ narrow, isNumber, className }: Pick<Column<never>, 'narrow' | 'isNumber' | 'className'>) =>
  [narrow && classes[narrow], isNumber && classes.number, className].filter(Boolean).join(' ') || undefined;
