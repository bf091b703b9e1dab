import { Anchor, Card, Group, Title } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { SessionUser } from '#web/api/session.ts';
import { Footer } from '#web/app/Footer.tsx';
import layout from '#web/app/SignedInLayout.module.css';
import bar from '#web/app/TopBar.module.css';
import { UserMenu } from '#web/app/UserMenu.tsx';
import { useSignOut } from '#web/features/auth/sign-out.ts';
import { focusHeading, whenHeadingIsThere } from '#web/ui/focus-heading.ts';
import { ButtonLink, TextLink } from '#web/ui/links.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { CreateWorkspaceForm } from './CreateWorkspaceForm.tsx';
import classes from './FirstWorkspace.module.css';
import { useScreenSubject } from './screen-subject.ts';

/** What a user without a workspace sees: the account, the admin console, or how to create the first workspace. */
export default function FirstWorkspace({ user }: { user: SessionUser }) {
  return useScreenSubject() === 'current workspace' ? <Creation user={user} /> : <ScreenOnly user={user} />;
}

/** Whoever has left every workspace can still change or delete the account, and administer the installation. */
const ScreenOnly = ({ user }: { user: SessionUser }) => (
  <>
    <a className={layout.skip} href="#content">
      Skip to content
    </a>
    <header className={bar.bar} data-chrome>
      <div className={bar.inner}>
        <Link to="/dashboard" className={bar.home} aria-label="Cuebird: go to the dashboard">
          <span className={bar.wideLogo}>
            <Logo withName />
          </span>
          <span className={bar.mark}>
            <Logo />
          </span>
        </Link>
        <div className={bar.end}>
          <ButtonLink to="/dashboard" variant="default">
            Create a workspace
          </ButtonLink>
          <UserMenu user={user} />
        </div>
      </div>
    </header>
    <main id="content" className={layout.content} tabIndex={-1}>
      <Outlet />
    </main>
    <Footer />
  </>
);

function Creation({ user }: { user: SessionUser }) {
  const signOut = useSignOut();
  useDocumentTitle('Create your first workspace');
  // The dashboard that follows has the same address, so no navigation moves the focus.
  useEffect(() => () => void whenHeadingIsThere(focusHeading), []);
  return (
    <main className={classes.page}>
      <Logo size={48} />
      <Title order={1} mt={16}>
        Welcome to Cuebird, {user.name.split(' ')[0] || 'friend'}
      </Title>
      <p className={classes.sentence}>
        Reminders, channels and teammates live in a workspace. Create your first one to begin; you can add more later.
      </p>
      <Card w="100%">
        <CreateWorkspaceForm submitLabel="Create Workspace" />
      </Card>
      <p className={classes.sentence}>Signed in as {user.email}.</p>
      <Group gap={16}>
        <TextLink to="/settings">Settings</TextLink>
        <Anchor component="button" type="button" onClick={() => signOut.mutate()}>
          Sign out
        </Anchor>
      </Group>
    </main>
  );
}
