import { Button, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Themed } from '#web/app/Themed.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import classes from './NotFoundScreen.module.css';

/** The screen of unknown paths. The server records a path that is asked for; one that a link within the app led to is asked for here. */
export function NotFoundScreen() {
  const { pathname } = useLocation();
  useDocumentTitle('Page not found');
  useEffect(() => {
    const [loaded] = performance.getEntriesByType('navigation');
    if (loaded !== undefined && new URL(loaded.name).pathname === pathname) return;
    // Offline it is not recorded.
    fetch(pathname, { method: 'HEAD' }).catch(() => {});
  }, [pathname]);
  return (
    <Themed>
      <main className={classes.page}>
        <Logo size={56} />
        <p className={classes.code}>404</p>
        <Title order={1}>Oops! Page not found</Title>
        <p className={classes.sentence}>
          There is no page at <code>{pathname}</code>.
        </p>
        <Button component="a" href="/">
          Return to Home
        </Button>
      </main>
    </Themed>
  );
}
