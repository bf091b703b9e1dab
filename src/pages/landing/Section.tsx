import type { ReactNode } from 'react';

type SectionProps = { id: string; title: string; lead: ReactNode; children: ReactNode };

export const Section = ({ id, title, lead, children }: SectionProps) => (
  <section id={id} className="section" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    <p className="lead">{lead}</p>
    {children}
  </section>
);
