import { Flex, type MantineColorScheme, Menu, Stack, useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useMounted } from '@mantine/hooks';
import {
  IconBell,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { SessionUser } from '#web/api/session.ts';
import { hasDrafts } from '#web/api/draft-keys.ts';
import { useSignOut } from '#web/features/auth/sign-out.ts';
import { useRememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { useWorkspaces } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { useEver } from '#web/ui/use-ever.ts';
import { hasUnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { AccountButton } from './AccountButton.tsx';
import prose from '#web/ui/prose.module.css';

const PushDialog = lazy(() => import('#web/features/push/PushDialog.tsx'));

const schemes: { value: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
];

/** The signed-in user, the colour scheme and Sign out. The menu opens when it mounts. */
export default function AccountMenu({ user }: { user: SessionUser }) {
  const signOut = useSignOut();
  const [opened, setOpened] = useState(true);
  // The menu opens after the button has the focus, so that closing returns the focus to the button.
  const isMounted = useMounted();
  const [isAsking, ask] = useDisclosure(false);
  const [isPushOpen, push] = useDisclosure(false);
  const hasPush = useEver(isPushOpen);
  const currentId = useRememberedWorkspaceId();
  const workspace = useWorkspaces().find(({ id }) => id === currentId);
  return (
    <>
      <Menu position="bottom-end" width={240} opened={isMounted && opened} onChange={setOpened}>
        <Menu.Target>
          <AccountButton user={user} autoFocus />
        </Menu.Target>
        <Menu.Dropdown>
          <Stack gap={0} px={12} py={8}>
            <strong className={prose.oneLine}>{user.name}</strong>
            <span className={`${prose.oneLine} ${prose.tiny}`}>{user.email}</span>
          </Stack>
          <Menu.Divider />
          <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} aria-hidden />}>
            Profile
          </Menu.Item>
          <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={16} aria-hidden />}>
            Settings
          </Menu.Item>
          {workspace !== undefined && (
            <Menu.Item leftSection={<IconBell size={16} aria-hidden />} onClick={push.open}>
              Push notifications
            </Menu.Item>
          )}
          <Menu.Divider />
          <SchemeChoice />
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() => (hasDrafts() || hasUnsavedChanges() ? ask.open() : signOut.mutate())}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {hasPush && workspace !== undefined && (
        <Suspense>
          <PushDialog workspace={workspace} opened={isPushOpen} onClose={push.close} />
        </Suspense>
      )}
      <ConfirmDialog
        title="Sign out without saving?"
        confirmLabel="Sign out without saving"
        opened={isAsking}
        onClose={ask.close}
        onConfirm={() => signOut.mutate()}
        isBusy={signOut.isPending}
      >
        {hasDrafts()
          ? 'You have an unsaved reminder. Signing out discards it.'
          : 'Your changes on this screen are not saved. Signing out discards them.'}
      </ConfirmDialog>
    </>
  );
}

function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (value: string) => {
    const scheme = schemes.find((known) => known.value === value);
    if (scheme) setColorScheme(scheme.value);
  };
  return (
    <Menu.RadioGroup value={colorScheme} onChange={choose}>
      <Menu.Label>Theme</Menu.Label>
      {schemes.map(({ value, label, icon: Icon }) => (
        <Menu.RadioItem key={value} value={value}>
          <Flex component="span" gap={8} align="center">
            <Icon size={16} aria-hidden />
            {label}
          </Flex>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
