import '@mantine/core/styles/Alert.layer.css';
import { Alert, Stack } from '@mantine/core';
import { useProfile } from '#web/api/profile.ts';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { Loaded, RecordSection, SectionSkeleton } from '#web/ui/Record.tsx';
import record from '#web/ui/record.module.css';
import { NameAndZone } from './sections/NameAndZone.tsx';
import { OwnPicture } from './sections/OwnPicture.tsx';

/** The signed-in person as others see them. */
export function ProfileScreen() {
  const profile = useProfile();
  return (
    <>
      <PageHeader title="Profile" subtitle="How you appear to others in your workspaces" />
      <Stack gap={16} maw={760}>
        {profile.isPending ? (
          <div role="status" aria-label="Loading" className={record.column}>
            <SectionSkeleton rows={2} />
            <SectionSkeleton />
          </div>
        ) : profile.data === undefined ? (
          <RecordSection title="You">
            <Loaded of={profile} failed="Error loading your profile">
              {() => null}
            </Loaded>
          </RecordSection>
        ) : (
          <>
            {profile.data.is_demo && <Alert color="gray">The account of the demo cannot be changed.</Alert>}
            <OwnPicture profile={profile.data} />
            <NameAndZone key={profile.data.id} profile={profile.data} />
          </>
        )}
      </Stack>
    </>
  );
}
