import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { SessionUser } from '#web/api/session.ts';
import { WorkspaceSwitcher } from '#web/features/workspaces/WorkspaceSwitcher.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useEver } from '#web/ui/use-ever.ts';
import { AccountButton } from './AccountButton.tsx';
import { useNavigationLinks } from './navigation.ts';
import classes from './TopBar.module.css';

const LinksDrawer = lazy(() => import('./LinksDrawer.tsx'));

/** The bar at the top of every signed-in screen; its links move into a drawer below 992 px. */
export function TopBar({ user, onSearch }: { user: SessionUser; onSearch: () => void }) {
  return (
    <header className={classes.bar} data-chrome>
      <div className={classes.inner}>
        <Link to="/dashboard" className={classes.home} aria-label="Cuebird: go to the dashboard">
          <span className={classes.wideLogo}>
            <Logo withName />
          </span>
          <span className={classes.mark}>
            <Logo />
          </span>
        </Link>
        <BarLinks />
        <div className={classes.end}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={40}
            aria-label="Search, or jump to anything"
            aria-keyshortcuts="Control+K Meta+K"
            onClick={onSearch}
          >
            <IconSearch size={20} stroke={1.6} aria-hidden />
          </ActionIcon>
          <WorkspaceSwitcher />
          <UserMenu user={user} />
          <MenuButton />
        </div>
      </div>
    </header>
  );
}

function BarLinks() {
  return (
    <nav className={classes.links} aria-label="Main">
      {useNavigationLinks().map(({ label, to }) => (
        <Link key={to} to={to} className={classes.link} activeProps={{ 'aria-current': 'page' }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

function MenuButton() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionIcon
        hiddenFrom="md"
        variant="subtle"
        color="gray"
        size={40}
        aria-label="Open the menu"
        aria-expanded={opened}
        onClick={open}
      >
        <IconMenu2 size={22} aria-hidden />
      </ActionIcon>
      <Suspense>{useEver(opened) && <LinksDrawer opened={opened} onClose={close} />}</Suspense>
    </>
  );
}

const loadMenu = () => import('./AccountMenu.tsx');
const AccountMenu = lazy(loadMenu);

/** The avatar in the bar; its menu loads on hover or focus. */
function UserMenu({ user }: { user: SessionUser }) {
  const [isWanted, { open }] = useDisclosure(false);
  const button = (
    <AccountButton
      user={user}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={loadMenu}
      onFocus={loadMenu}
      onClick={open}
    />
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <AccountMenu user={user} />
    </Suspense>
  ) : (
    button
  );
}
