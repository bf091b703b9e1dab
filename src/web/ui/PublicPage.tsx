import type { ReactNode } from 'react';
import { Logo } from './Logo.tsx';
import { PageHeader } from './PageHeader.tsx';
import classes from './PublicPage.module.css';

/** A page that needs no session, without bar and footer: the way home, a title, and the content. */
export const PublicPage = ({
  title,
  subtitle,
  children,
}: {
  title: string;
  subtitle?: ReactNode;
  children: ReactNode;
}) => (
  <main className={classes.page}>
    <a className={classes.home} href="/">
      <Logo withName />
    </a>
    <PageHeader title={title} subtitle={subtitle} />
    {children}
  </main>
);
