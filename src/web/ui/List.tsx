import { Button, Card } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFilterOff } from '@tabler/icons-react';
import { type ComponentProps, type ComponentType, Fragment, type ReactNode } from 'react';
import { CardGrid, LoadingCards } from './CardGrid.tsx';
import { EmptyState } from './EmptyState.tsx';
import { focusContent } from './focus-content.ts';
import classes from './list.module.css';
import { LoadMore, type Paged } from './LoadMore.tsx';
import { Loaded, type Query } from './Record.tsx';
import { type Column, Table } from './Table.tsx';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { useFirstRows } from './use-first-rows.ts';

type Empty = ComponentProps<typeof EmptyState>;

type ListProps<Row> = {
  /** What is listed, for `Error loading groups` and `Loading groups`. */
  noun: string;
  /** The name for screen readers, where it is another than the noun. */
  label?: string;
  /** What is said where it cannot be loaded, where that is another sentence. */
  failed?: string;
  of: Query<readonly Row[]> & Paged;
  /** What is said while there is none; in a part, a sentence. */
  empty?: Empty | string;
  /** What is said instead while a filter is on, with the button that ends it. */
  noMatch?: false | (Partial<Empty> & { title: string; all: string; onShowAll: () => void });
  /** Above the rows, where there are any. */
  above?: ReactNode;
  /** What the foot says of the rows that are loaded. */
  extent?: (rows: readonly Row[]) => ReactNode;
  /** What loads more, where it is no foot. */
  more?: ReactNode;
  /** Whether it is in a card or dialog that has other content too. */
  isPart?: boolean;
  /** How many rows are drawn while it loads, where it is not what lists have, or parts. */
  loading?: number;
  /** Whether its own head stays at the top of the window while it scrolls. */
  hasStickyHead?: boolean;
} & RowsProps<Row>;

type RowsProps<Row> = {
  /** A table, which becomes cards where it is too wide for the window. Without columns all rows are cards at every width. */
  columns?: readonly Column<Row>[];
  /** Without it, a row of the table becomes a few lines on a phone. */
  card?: (row: Row) => ReactNode;
  cardClass?: string | undefined;
  /** Each card stands alone, and has such a shape while it loads. */
  grid?: { columns: 2 | 3; count: number; skeleton: ComponentType };
  /** What shows the rows in place of a table or cards. */
  children?: (rows: readonly Row[]) => ReactNode;
};

/** A list as it loads, fails, is out of date, is empty, has no match, or has more. */
export function List<Row extends { id: string }>({
  noun,
  of,
  isPart,
  loading,
  hasStickyHead,
  ...list
}: ListProps<Row>) {
  const { label = nameOf(noun), failed = `Error loading ${noun}`, grid } = list;
  const content = (
    <Loaded
      of={of}
      failed={failed}
      skeleton={
        grid ? (
          <LoadingCards label={`Loading ${noun}`} {...grid} />
        ) : (
          <RowsSkeleton label={`Loading ${noun}`} count={loading ?? (isPart ? 3 : 10)} />
        )
      }
    >
      {(rows) => {
        if (rows.length === 0) return <None {...list} />;
        return (
          <>
            {list.above}
            <div className={classes.rows} data-stale={of.isPlaceholderData}>
              {list.children ? list.children(rows) : <Rows {...list} rows={rows} label={label} />}
            </div>
            {list.more ?? <LoadMore of={of}>{list.extent?.(rows)}</LoadMore>}
          </>
        );
      }}
    </Loaded>
  );
  if (isPart || (grid && (of.isPending || (of.data?.length ?? 0) > 0))) return content;
  const isBusy = of.isPending || of.isPlaceholderData;
  return (
    <Card
      {...(!grid && { padding: 0 })}
      component="section"
      style={hasStickyHead === true ? { overflow: 'visible' } : {}}
      aria-label={list.columns && label}
      aria-busy={isBusy}
    >
      {content}
    </Card>
  );
}

/** `the audit log` is named `Audit log`. */
const nameOf = (noun: string) => noun.replace(/^the /, '').replace(/^./, (first) => first.toUpperCase());

function None({ empty, noMatch }: Pick<ListProps<never>, 'empty' | 'noMatch'>) {
  if (!noMatch) return typeof empty === 'object' ? <EmptyState {...empty} /> : <p className={classes.none}>{empty}</p>;
  const { all, onShowAll, ...said } = noMatch;
  const showAll = () => {
    onShowAll();
    focusContent();
  };
  const action = (
    <Button variant="default" onClick={showAll}>
      {all}
    </Button>
  );
  return <EmptyState icon={IconFilterOff} action={action} {...said} />;
}

function Rows<Row extends { id: string }>({
  rows,
  label,
  columns,
  card,
  cardClass,
  grid,
}: RowsProps<Row> & { rows: readonly Row[]; label: string }) {
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  const shown = useFirstRows(rows);
  if (columns && (isWide || !card))
    return <Table rows={shown} columns={columns} className={card ? classes.tall : classes.stacked} />;
  if (grid)
    return (
      <CardGrid columns={grid.columns}>
        {shown.map((row) => (
          <Fragment key={row.id}>{card?.(row)}</Fragment>
        ))}
      </CardGrid>
    );
  return (
    <ul className={columns ? classes.cards : undefined} aria-label={columns ? undefined : label}>
      {shown.map((row) => (
        <li key={row.id} className={columns ? classes.card : cardClass}>
          {card?.(row)}
        </li>
      ))}
    </ul>
  );
}
