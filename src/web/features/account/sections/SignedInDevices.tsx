import { Button, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import type { Device } from '#contract/account.ts';
import { useDevices, useSignOutDevices } from '#web/api/account.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { act } from '#web/ui/act.ts';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import prose from '#web/ui/prose.module.css';
import list from '#web/ui/list.module.css';
import { deviceWords, isPhone } from '#web/features/account/device-words.ts';

/** Where the person is signed in. A session ends after 30 days without use, and after 90 days in any case. */
export function SignedInDevices() {
  const devices = useDevices();
  const signOut = useSignOutDevices();
  const [isAsking, setIsAsking] = useState(false);
  const hasOthers = (devices.data ?? []).some(({ is_current: isCurrent }) => !isCurrent);
  return (
    <RecordSection
      title="Signed-in devices"
      aside={
        hasOthers && (
          <Button variant="default" size="sm" onClick={() => setIsAsking(true)}>
            Sign out all others
          </Button>
        )
      }
    >
      <Loaded of={devices} failed="Error loading your devices">
        {(all) => (
          <ul aria-label="Devices">
            {all.map((device) => (
              <Row key={device.id} device={device} />
            ))}
          </ul>
        )}
      </Loaded>
      <Text p="12px var(--gutter) 16px" fz={13} c="dimmed" className={prose.lineAbove}>
        A device is signed out after 30 days without use, and after 90 days in any case.
      </Text>
      <ActDialog
        title="Sign out all others?"
        confirmLabel="Sign out all others"
        run={() => signOut.mutateAsync('others')}
        done={['Signed out', 'You are signed in here only.']}
        failed="Error signing out"
        opened={isAsking}
        onClose={() => setIsAsking(false)}
      >
        Every browser but this one is signed out at once. What is not saved there is lost.
      </ActDialog>
    </RecordSection>
  );
}

function Row({ device }: { device: Device }) {
  const signOut = useSignOutDevices();
  const name = deviceWords(device.user_agent);
  const Icon = isPhone(device.user_agent) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={list.entry}>
      <Icon size={20} stroke={1.6} aria-hidden className={prose.dimIcon} />
      <div className={list.words}>
        <strong>
          {name}
          {device.is_current && <span className={prose.aside}> (this one)</span>}
        </strong>
        <span className={prose.note}>
          {device.address !== null && `From ${device.address}. `}Signed in <InstantText at={device.signed_in_at} />
          {!device.is_current && (
            <>
              , last used <InstantText at={device.last_used_at} />
            </>
          )}
          .
        </span>
      </div>
      {!device.is_current && (
        <Button
          variant="default"
          size="sm"
          aria-label={`Sign out ${name}`}
          loading={signOut.isPending}
          onClick={() =>
            void act(signOut.mutateAsync({ id: device.id }), {
              done: ['Signed out', `${name} is signed out.`],
              failed: 'Error signing out',
            })
          }
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
