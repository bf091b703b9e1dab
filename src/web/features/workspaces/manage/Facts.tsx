import type { ReactNode } from 'react';
import record from '#web/ui/record.module.css';

/** What is known of a thing, as names and values. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <div className={record.body}>
    <dl className={record.facts}>{children}</dl>
  </div>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
