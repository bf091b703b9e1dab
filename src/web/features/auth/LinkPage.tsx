import '@mantine/core/styles/PasswordInput.layer.css';
import { Card, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '#web/ui/Logo.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import classes from '#web/ui/link-page.module.css';

/** A page beside the sign-in, without bar and footer: the logo and one card. */
export function LinkPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <main className={classes.page}>
      <Logo size={44} />
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
