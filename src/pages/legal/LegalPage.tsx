import type { ReactNode } from 'react';
import { Brand } from '#pages/Brand.tsx';

type LegalPageProps = { title: string; lead: string; children: ReactNode };

/** The frame of a legal page, without bar and footer. */
export const LegalPage = ({ title, lead, children }: LegalPageProps) => (
  <main id="main" className="legal">
    <Brand label="Cuebird, to the first page" />
    <h1>{title}</h1>
    <p className="lead">{lead}</p>
    {children}
  </main>
);
