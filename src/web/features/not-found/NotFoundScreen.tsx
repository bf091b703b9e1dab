import { Button, Flex, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Themed } from '#web/app/Themed.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import prose from '#web/ui/prose.module.css';

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
      <Flex component="main" flex={1} direction="column" align="center" justify="center" px={16} py={32} ta="center">
        <Logo size={56} />
        <Text mt="md" mb={4} fw={560} c="dimmed">
          404
        </Text>
        <Title order={1}>Oops! Page not found</Title>
        <Text className={prose.breaks} mt="xs" mb="lg" maw="100%" c="dimmed">
          There is no page at <code>{pathname}</code>.
        </Text>
        <Button component="a" href="/">
          Return to Home
        </Button>
      </Flex>
    </Themed>
  );
}
