import { Stack } from '@mantine/core';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { DeleteAccount } from './sections/DeleteAccount.tsx';
import { EmailAndPassword } from './sections/EmailAndPassword.tsx';
import { Notifications } from './sections/Notifications.tsx';
import { SignedInDevices } from './sections/SignedInDevices.tsx';
import { SupportRequests } from './sections/SupportRequests.tsx';
import { TwoFactor } from './sections/TwoFactor.tsx';
import { YourData } from './sections/YourData.tsx';

/** The account's settings, one section below the other. */
export function SettingsScreen() {
  return (
    <>
      <PageHeader title="Settings" subtitle="How you sign in, and what belongs to your account" />
      <Stack gap={16} maw={760}>
        <EmailAndPassword />
        <TwoFactor />
        <SignedInDevices />
        <Notifications />
        <SupportRequests />
        <YourData />
        <DeleteAccount />
      </Stack>
    </>
  );
}
