import { Anchor, Box, Card, Group, Title } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { SessionUser } from '#web/api/session.ts';
import { useSignOut } from '#web/features/auth/sign-out.ts';
import { focusHeading, whenHeadingIsThere } from '#web/ui/focus-heading.ts';
import { TextLink } from '#web/ui/links.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { CreateWorkspaceForm } from './CreateWorkspaceForm.tsx';
import classes from './FirstWorkspace.module.css';
import { useScreenSubject } from './screen-subject.ts';

/** What a user without a workspace sees: the account, the admin console, or how to create the first workspace. */
export default function FirstWorkspace({ user }: { user: SessionUser }) {
  return useScreenSubject() === 'current workspace' ? <Creation user={user} /> : <ScreenOnly />;
}

/** Whoever has left every workspace can still change or delete the account, and administer the installation. */
const ScreenOnly = () => (
  <Box component="main" w="100%" maw={800} m="0 auto" p="24px 16px 48px">
    <TextLink to="/dashboard">Create a workspace</TextLink>
    <Outlet />
  </Box>
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
