import { Button, Input, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Profile, ProfileChanges } from '#contract/profile.ts';
import { useChangeProfile } from '#web/api/profile.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { zoneChoices } from '#web/features/reminders/form/zones.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { TextLink } from '#web/ui/links.tsx';
import { act } from '#web/ui/act.ts';
import { RecordSection } from '#web/ui/Record.tsx';
import { UnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import prose from '#web/ui/prose.module.css';
import classes from '#web/features/account/account-form.module.css';

/** The name that others see, and the zone in which new reminders begin. */
export function NameAndZone({ profile }: { profile: Profile }) {
  const { mutateAsync, isPending } = useChangeProfile();
  const [name, setName] = useState(profile.full_name);
  const [zone, setZone] = useState(profile.time_zone);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [choices] = useState(() => zoneChoices(new Date(), [viewerZone(), profile.time_zone ?? viewerZone()]));
  const isChanged = name !== profile.full_name || zone !== profile.time_zone;

  const submit = useSubmit(async () => {
    const parsed = ProfileChanges.safeParse({ full_name: name, time_zone: zone });
    if (!parsed.success) return setErrors(fieldErrors(parsed.error.issues));
    setErrors({});
    const save = mutateAsync(parsed.data).then((saved) => {
      setName(saved.full_name);
      setZone(saved.time_zone);
    });
    await act(save, { done: 'Profile saved', failed: 'Error saving your profile' });
  });

  return (
    <RecordSection title="You">
      <form className={classes.form} noValidate onSubmit={submit}>
        <TextInput
          label="Name"
          description="The members of your workspaces see it."
          autoComplete="name"
          value={name}
          error={errors['full_name']}
          disabled={profile.is_demo}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Input.Wrapper label="Email" labelElement="div">
          <div className={prose.breaks}>{profile.email}</div>
          <TextLink to="/settings" size="sm">
            Change it in Settings
          </TextLink>
        </Input.Wrapper>
        <Select
          label="Timezone of new reminders"
          description={`Without one, it is the browser's: ${viewerZone().replaceAll('_', ' ')}`}
          placeholder="The browser's"
          data={choices}
          searchable
          clearable
          openOnFocus={false}
          clearButtonProps={{ 'aria-label': "Use the browser's timezone" }}
          nothingFoundMessage="No timezone found"
          maxDropdownHeight={280}
          value={zone}
          error={errors['time_zone']}
          disabled={profile.is_demo}
          onChange={setZone}
        />
        <div>
          <Button type="submit" loading={isPending} disabled={!isChanged || profile.is_demo}>
            Save profile
          </Button>
        </div>
      </form>
      <UnsavedChanges hasChanges={() => isChanged && !isPending}>
        Your changes to your profile are not saved.
      </UnsavedChanges>
    </RecordSection>
  );
}
