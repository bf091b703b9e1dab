import { Select, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SendingHours } from '#contract/sending-hours.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { sendingHoursText, weekdays } from '#domain/sending-hours-text.ts';
import { ApiError } from '#web/api/client.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { useSaveSettings } from '#web/api/workspaces.ts';
import { zoneChoices } from '#web/features/reminders/form/zones.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { notifyError, notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { Choices } from './Choices.tsx';
import { hoursChannels, hoursOf, switched, usualHours } from './hours-draft.ts';
import classes from './SendingHours.module.css';

const days = weekdays.map((name, index) => ({ value: index + 1, name }));
const channels = hoursChannels.map((value) => ({ value, name: channelLooks[value].name }));

export function SendingHoursForm({ workspace, onDone }: { workspace: Workspace; onDone: () => void }) {
  const [hours, setHours] = useState(() => hoursOf(workspace.settings) ?? usualHours(viewerZone()));
  const [zones] = useState(() => zoneChoices(new Date(), [viewerZone(), hours.timezone]));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { mutateAsync, isPending } = useSaveSettings();
  const change = (changes: Partial<SendingHours>) => {
    setHours((now) => ({ ...now, ...changes }));
    setErrors({});
  };

  const submit = useSubmit(async () => {
    const parsed = SendingHours.safeParse(hours);
    if (!parsed.success) return setErrors(fieldErrors(parsed.error.issues));
    // The result is handled here and not in a mutation callback: the dialog may be closed before the response, and the
    // toast is still shown.
    try {
      await mutateAsync({ id: workspace.id, settings: { sendingHours: parsed.data } });
      notifySuccess('Sending hours saved', sendingHoursText(parsed.data));
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.status === 403)
        return notifyError('Permission denied', 'Only workspace admins can change the sending hours');
      notifyFailure('Error saving sending hours', error, 'Please try again.');
    }
  });

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <Switch
          label="Send within these hours only"
          aria-label="Send within these hours only"
          description="Messages due outside these hours wait until the hours begin. Tests are sent at once."
          checked={hours.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <Choices
          label="Days"
          choices={days}
          chosen={hours.days}
          error={errors.days}
          onToggle={(day) => change({ days: switched(hours.days, day).toSorted((a, b) => a - b) })}
        />
        <div className={classes.times}>
          <TextInput
            type="time"
            label="From"
            value={hours.from}
            error={errors.from}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label="To"
            value={hours.to}
            error={errors.to}
            onChange={(event) => change({ to: event.currentTarget.value })}
          />
        </div>
        <Select
          label="Timezone"
          data={zones}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No timezone found"
          maxDropdownHeight={280}
          value={hours.timezone}
          error={errors.timezone}
          onChange={(timezone) => {
            if (timezone !== null) change({ timezone });
          }}
        />
        <Switch
          label="Use the recipient's timezone"
          aria-label="Use the recipient's timezone"
          description="A contact’s own timezone replaces the one above."
          checked={hours.zone === 'recipient'}
          onChange={(event) => change({ zone: event.currentTarget.checked ? 'recipient' : 'workspace' })}
        />
        <Choices
          label="Channels"
          choices={channels}
          chosen={hours.channels}
          error={errors.channels}
          onToggle={(channel) =>
            change({ channels: hoursChannels.filter((one) => switched(hours.channels, channel).includes(one)) })
          }
        />
        {SendingHours.safeParse(hours).success && (
          <p className={classes.sentence} role="status">
            {sendingHoursText(hours)}
          </p>
        )}
        <FormButtons onCancel={onDone} isBusy={isPending}>
          Save
        </FormButtons>
      </Stack>
    </form>
  );
}
