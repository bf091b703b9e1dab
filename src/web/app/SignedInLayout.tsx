import { useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useChildMatches } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { dayMs } from '#domain/instants.ts';
import { forgetDrafts } from '#web/api/draft-keys.ts';
import { type Session, sessionQuery, type SessionUser, useSession } from '#web/api/session.ts';
import { useWorkspaceStream } from '#web/api/stream.ts';
import { isClosed } from '#web/api/workspaces.ts';
import { isOpenToAll } from '#web/app/open-screens.ts';
import { useAllPaused } from '#web/features/reminders/pausing/use-all-paused.ts';
import { useScreenSubject } from '#web/features/workspaces/screen-subject.ts';
import { useWorkspace, WorkspaceProvider } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { WorkspaceSwitcher } from '#web/features/workspaces/WorkspaceSwitcher.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useEver } from '#web/ui/use-ever.ts';
import { Footer } from './Footer.tsx';
import { type Opened, Shortcuts } from './shortcuts/Shortcuts.tsx';
import classes from './SignedInLayout.module.css';
import { useNavigationLinks } from './navigation.ts';
import topBarClasses from './TopBar.module.css';
import { UserMenu } from './UserMenu.tsx';

const OpenLayout = lazy(() => import('./OpenLayout.tsx'));
const AllPausedBanner = lazy(() => import('#web/features/reminders/pausing/AllPausedBanner.tsx'));
const DemoBar = lazy(() => import('#web/features/demo/DemoBar.tsx'));
const ClosedWorkspace = lazy(() => import('#web/features/workspaces/ClosedWorkspace.tsx'));

/** Top bar, screen and footer; redirects to /auth when the session ends, except where the screen is open to all. */
export function SignedInLayout() {
  const session = useSession();
  const [opened, setOpened] = useState<Opened>(null);
  useSessionRenewal(session);
  // The screen that is shown: the location is already that of the next one.
  const isOpen = useChildMatches({ select: (matches) => matches.some(({ pathname }) => isOpenToAll(pathname)) });
  const userId = session?.user.id;
  useEffect(() => {
    if (userId !== undefined) forgetDrafts({ exceptOf: userId });
  }, [userId]);
  if (!session && isOpen)
    return (
      <Suspense>
        <OpenLayout />
      </Suspense>
    );
  if (!session) return <Navigate to="/auth" replace />;
  return (
    <WorkspaceProvider user={session.user}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <TopBar user={session.user} onSearch={() => setOpened('palette')} />
      <Demo />
      <AllPaused />
      <WorkspaceScreen />
      <Shortcuts opened={opened} onOpen={setOpened} />
      <Footer />
    </WorkspaceProvider>
  );
}

function Demo() {
  const { demo_until: until, demo_spent_at: spentAt } = useWorkspace().workspace;
  if (until === null) return null;
  return (
    <Suspense>
      <DemoBar until={until} isSpent={spentAt !== null} />
    </Suspense>
  );
}

function AllPaused() {
  const until = useAllPaused();
  if (until === null) return null;
  return (
    <Suspense>
      <AllPausedBanner until={until} />
    </Suspense>
  );
}

/** Remounts with each workspace, so that no screen keeps another workspace's state. */
function WorkspaceScreen() {
  const { workspace } = useWorkspace();
  useWorkspaceStream(workspace.id);
  const subject = useScreenSubject();
  return (
    <main id="content" className={classes.content} tabIndex={-1} key={workspace.id}>
      {!isClosed(workspace) || subject !== 'current workspace' ? (
        <Outlet />
      ) : (
        <Suspense>
          <ClosedWorkspace workspace={workspace} />
        </Suspense>
      )}
    </main>
  );
}

const checkMs = 30_000;
const nearExpiryMs = dayMs;

/** Refetches the session shortly before it expires; the server extends it on that request. */
function useSessionRenewal(session: Session | null | undefined): void {
  const queryClient = useQueryClient();
  const expiresAt = session?.session.expiresAt.getTime();
  useEffect(() => {
    if (expiresAt === undefined) return;
    const timer = setInterval(() => {
      if (expiresAt - Date.now() < nearExpiryMs) void queryClient.refetchQueries(sessionQuery);
    }, checkMs);
    return () => clearInterval(timer);
  }, [expiresAt, queryClient]);
}

const LinksDrawer = lazy(() => import('./LinksDrawer.tsx'));

/** The bar at the top of every signed-in screen; its links move into a drawer below 992 px. */
function TopBar({ user, onSearch }: { user: SessionUser; onSearch: () => void }) {
  return (
    <header className={topBarClasses.bar} data-chrome>
      <div className={topBarClasses.inner}>
        <Link to="/dashboard" className={topBarClasses.home} aria-label="Cuebird: go to the dashboard">
          <span className={topBarClasses.wideLogo}>
            <Logo withName />
          </span>
          <span className={topBarClasses.mark}>
            <Logo />
          </span>
        </Link>
        <BarLinks />
        <div className={topBarClasses.end}>
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
    <nav className={topBarClasses.links} aria-label="Main">
      {useNavigationLinks().map(({ label, to }) => (
        <Link key={to} to={to} className={topBarClasses.link} activeProps={{ 'aria-current': 'page' }}>
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
