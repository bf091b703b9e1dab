import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { profileRoutes } from '#contract/profile.ts';
import { RecordSection } from '#web/ui/Record.tsx';
import prose from '#web/ui/prose.module.css';
import classes from '#web/features/account/account-form.module.css';

/** Everything that is stored about the person, as a file. */
export function YourData() {
  return (
    <RecordSection title="Your data">
      <div className={classes.form}>
        <p className={prose.dimParagraph}>
          One JSON file with your profile, your choices, where you are signed in, your workspaces and what you did in
          them. It contains no passwords. Reminders and contacts belong to their workspaces, and are exported there.
        </p>
        <div>
          <Button
            component="a"
            href={profileRoutes.downloadOwnData.path}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Download my data
          </Button>
        </div>
      </div>
    </RecordSection>
  );
}
