import '@mantine/core/styles/Switch.layer.css';
import { Switch } from '@mantine/core';
import type { Profile } from '#contract/profile.ts';
import { useChangeProfile, useProfile } from '#web/api/profile.ts';
import { act } from '#web/ui/act.ts';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import prose from '#web/ui/prose.module.css';
import classes from '#web/features/account/account-form.module.css';

/** Which mails the person gets as the owner of a workspace. A switch is saved at once. */
export function Notifications() {
  return (
    <RecordSection title="Notifications">
      <Loaded of={useProfile()} failed="Error loading your notifications">
        {(profile) => <Switches profile={profile} />}
      </Loaded>
    </RecordSection>
  );
}

function Switches({ profile }: { profile: Profile }) {
  const { mutateAsync, isPending, variables } = useChangeProfile();
  // Shows the chosen value while it is being saved.
  const shown = { ...profile.notifications, ...(isPending ? variables.notifications : {}) };
  const change = (notifications: Partial<Profile['notifications']>) =>
    act(mutateAsync({ notifications }), { failed: 'Error saving your notifications' });
  return (
    <div className={classes.form}>
      <p className={prose.dimParagraph}>Emails about the workspaces that you own, at most one a day for each.</p>
      <Switch
        label="Missed reminders"
        aria-label="Missed reminders"
        description="Nothing could be sent at the time of a reminder."
        checked={shown.missed}
        disabled={profile.is_demo}
        onChange={(event) => void change({ missed: event.currentTarget.checked })}
      />
      <Switch
        label="Reminders over the plan"
        aria-label="Reminders over the plan"
        description="A reminder was not sent because the plan of the workspace is used up."
        checked={shown.over_plan}
        disabled={profile.is_demo}
        onChange={(event) => void change({ over_plan: event.currentTarget.checked })}
      />
    </div>
  );
}
