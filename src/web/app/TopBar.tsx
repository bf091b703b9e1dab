import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { SessionUser } from '#web/api/session.ts';
import { WorkspaceSwitcher } from '#web/features/workspaces/WorkspaceSwitcher.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useNavigationLinks } from './navigation.ts';
import classes from './TopBar.module.css';
import { UserMenu } from './UserMenu.tsx';

/** The bar at the top of every signed-in screen; its links move into a drawer below 992 px. */
export function TopBar({ user }: { user: SessionUser }) {
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <Link to="/dashboard" className={classes.home} aria-label="Cuebird, to the dashboard">
          <span className={classes.wideLogo}>
            <Logo withName />
          </span>
          <span className={classes.mark}>
            <Logo />
          </span>
        </Link>
        <BarLinks />
        <div className={classes.end}>
          <WorkspaceSwitcher />
          <UserMenu user={user} />
          <LinksDrawer />
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

function LinksDrawer() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionIcon
        className={classes.menuButton}
        variant="subtle"
        color="gray"
        size={40}
        aria-label="Open the menu"
        aria-expanded={opened}
        onClick={open}
      >
        <IconMenu2 size={22} aria-hidden />
      </ActionIcon>
      <Drawer
        opened={opened}
        onClose={close}
        position="right"
        size={300}
        title={<Logo withName />}
        closeButtonProps={{ 'aria-label': 'Close the menu' }}
      >
        <DrawerLinks onFollow={close} />
      </Drawer>
    </>
  );
}

function DrawerLinks({ onFollow }: { onFollow: () => void }) {
  return (
    <nav className={classes.drawerLinks} aria-label="Main">
      {useNavigationLinks().map(({ label, to, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.drawerLink}
          activeProps={{ 'aria-current': 'page' }}
          onClick={onFollow}
        >
          <Icon size={20} stroke={1.6} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  );
}
