import { Card, Skeleton } from '@mantine/core';
import record from '#web/ui/record.module.css';
import classes from './analytics.module.css';

type FigureProps = { label: string; value: number | string /** Below the value. */; note?: string; padding?: number };

/** A named figure in a card. */
export const Figure = ({ label, value, note, padding = 16 }: FigureProps) => (
  <Card padding={padding}>
    <dl className={classes.figure}>
      <dt>{label}</dt>
      <dd>{typeof value === 'number' ? value.toLocaleString('en') : value}</dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </dl>
  </Card>
);

/** Figures as wide as their number allows. */
export const Figures = ({ label, of }: { label: string; of: readonly FigureProps[] }) => (
  <section aria-label={label} className={classes.figures}>
    {of.map((figure) => (
      <Figure key={figure.label} {...figure} />
    ))}
  </section>
);

type FiguresSkeletonProps = {
  label: string;
  count: number;
  /** Whether a row of tabs stands below the cards. */
  hasTabs?: boolean;
};

/** As many cards as come, and a section below them. */
export const FiguresSkeleton = ({ label, count, hasTabs = false }: FiguresSkeletonProps) => (
  <div role="status" aria-busy aria-label={label} className={record.column}>
    <div className={classes.figures}>
      {Array.from({ length: count }, (_, index) => (
        <Card key={index} padding={16}>
          <Skeleton height={12} width="60%" my={4} />
          <Skeleton height={24} width="40%" mt={12} mb={4} />
          <Skeleton height={12} width="50%" my={4} />
        </Card>
      ))}
    </div>
    {hasTabs && <Skeleton height={36} />}
    <Card padding={20}>
      <Skeleton height={16} width="25%" mb={24} />
      {[60, 45, 70].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} my={16} />
      ))}
    </Card>
  </div>
);
