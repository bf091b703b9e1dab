import { Group } from '@mantine/core';
import { Outlet, useLocation } from '@tanstack/react-router';
import { ButtonLink } from '#web/ui/links.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { Footer } from './Footer.tsx';
import layout from './SignedInLayout.module.css';
import bar from './TopBar.module.css';

/** Bar, screen and footer for people who are not signed in; after signing in they return to the screen. */
export default function OpenLayout() {
  const next = useLocation({ select: ({ href }) => href });
  return (
    <>
      <a className={layout.skip} href="#content">
        Skip to content
      </a>
      <header className={bar.bar} data-chrome>
        <div className={bar.inner}>
          <a className={bar.home} href="/" aria-label="Cuebird: go to the start">
            <Logo withName />
          </a>
          <Group gap={8} ml="auto" wrap="nowrap">
            <ButtonLink to="/auth" search={{ next }} variant="default">
              Sign In
            </ButtonLink>
            <ButtonLink to="/auth" search={{ tab: 'sign-up', next }}>
              Sign Up
            </ButtonLink>
          </Group>
        </div>
      </header>
      <main id="content" className={layout.content} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </>
  );
}
