import { Card, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './link-page.module.css';
import { Logo } from './Logo.tsx';
import { messageOf } from './message-of.ts';
import { useDocumentTitle } from './PageHeader.tsx';

type LinkPageProps = {
  title: string;
  /** Whose page it is, in the browser's tab. */
  owner?: string | undefined;
  logo?: ReactNode;
  children: ReactNode;
};

/** The page behind a link, without bar and footer: the logo and one card. */
export function LinkPage({ title, owner, logo = <Logo size={44} />, children }: LinkPageProps) {
  useDocumentTitle(title, owner);
  return (
    <main className={classes.page}>
      {logo}
      <Card className={classes.card}>{children}</Card>
    </main>
  );
}

export const LinkSkeleton = () => (
  <div role="status" aria-busy aria-label="Loading">
    <Skeleton height={28} width="80%" />
    <Skeleton height={14} mt={16} />
    <Skeleton height={14} mt={8} width="60%" />
    <Skeleton height={42} mt={24} />
  </div>
);

/** Why the answer to the page's question was refused; nothing while there is no error. */
export const LinkRefusal = ({ error }: { error: unknown }) =>
  error ? (
    <p role="alert" className={classes.refused}>
      {messageOf(error)}
    </p>
  ) : null;
