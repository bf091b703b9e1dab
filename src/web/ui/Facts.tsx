import type { ReactNode } from 'react';
import classes from './record.module.css';

/** What is known of a thing, as names and values. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <div className={classes.body}>
    <dl className={classes.facts}>{children}</dl>
  </div>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
