import { Card } from '@mantine/core';
import classes from './analytics.module.css';

type Figure = { label: string; value: number | string /** Below the value. */; note?: string };

/** Named figures in cards, as wide as their number allows. */
export const Figures = ({ label, of }: { label: string; of: readonly Figure[] }) => (
  <section aria-label={label} className={classes.figures}>
    {of.map(({ label: name, value, note }) => (
      <Card key={name} padding={16}>
        <dl className={classes.figure}>
          <dt>{name}</dt>
          <dd>{typeof value === 'number' ? value.toLocaleString('en') : value}</dd>
          {note !== undefined && <dd className={classes.note}>{note}</dd>}
        </dl>
      </Card>
    ))}
  </section>
);
