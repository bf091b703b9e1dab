// Styles of components that only this form uses; they load with the form, not with the shell.
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
import { Group, Input, Select, SimpleGrid, Stack, Switch, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { SendingHours } from '#contract/sending-hours.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { sendingHoursText, weekdays } from '#domain/sending-hours-text.ts';
import { ApiError } from '#web/api/client.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { useSaveSettings } from '#web/api/workspaces.ts';
import { zoneChoices } from '#web/features/reminders/form/zones.ts';
import { act } from '#web/ui/act.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { notifyError } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { hoursChannels, hoursOf, switched, usualHours } from './hours-draft.ts';
import classes from './SendingHoursDialog.module.css';
import { TimeInput } from '#web/ui/pickers/TimeInput.tsx';

type SendingHoursDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Edits the sending hours of a workspace. */
export default function SendingHoursDialog({ workspace, opened, onClose }: SendingHoursDialogProps) {
  return (
    <Dialog title="Sending hours" width={520} opened={opened} onClose={onClose}>
      <SendingHoursForm workspace={workspace} onDone={onClose} />
    </Dialog>
  );
}

const days = weekdays.map((name, index) => ({ value: index + 1, name }));
const channels = hoursChannels.map((value) => ({ value, name: channelLooks[value].name }));

function SendingHoursForm({ workspace, onDone }: { workspace: Workspace; onDone: () => void }) {
  const [hours, setHours] = useState(
    () => hoursOf(workspace.settings) ?? { ...usualHours(viewerZone()), enabled: false },
  );
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
    const isSaved = await act(mutateAsync({ id: workspace.id, settings: { sendingHours: parsed.data } }), {
      done: ['Sending hours saved', sendingHoursText(parsed.data)],
      failed: 'Error saving sending hours',
      fallback: 'Please try again.',
      refused: (error) => {
        const isForbidden = error instanceof ApiError && error.status === 403;
        if (isForbidden) notifyError('Permission denied', 'Only workspace admins can change the sending hours');
        return isForbidden;
      },
    });
    if (isSaved) onDone();
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
        <SimpleGrid cols={2} spacing={16}>
          <TimeInput label="From" value={hours.from} error={errors.from} onChange={(from) => change({ from })} />
          <TimeInput label="To" value={hours.to} error={errors.to} onChange={(to) => change({ to })} />
        </SimpleGrid>
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
          <Text py={10} px="sm" bd="1px solid var(--line)" bdrs="md" c="dimmed" role="status">
            {sendingHoursText(hours)}
          </Text>
        )}
        <FormButtons onCancel={onDone} isBusy={isPending}>
          Save
        </FormButtons>
      </Stack>
    </form>
  );
}

type ChoicesProps<T> = {
  label: string;
  choices: readonly { value: T; name: string }[];
  chosen: readonly T[];
  error: ReactNode;
  onToggle: (value: T) => void;
};

/** A group of toggle buttons, each on or off by itself. */
function Choices<T extends string | number>({ label, choices, chosen, error, onToggle }: ChoicesProps<T>) {
  const id = useId();
  return (
    <fieldset className={classes.group} aria-describedby={error ? `${id}-error` : undefined}>
      <Input.Label component="legend" required>
        {label}
      </Input.Label>
      <Group gap={5} mt={2}>
        {choices.map(({ value, name }) => (
          <UnstyledButton
            key={value}
            type="button"
            className={classes.choice}
            aria-pressed={chosen.includes(value)}
            onClick={() => onToggle(value)}
          >
            {name}
          </UnstyledButton>
        ))}
      </Group>
      {error && (
        <Input.Error id={`${id}-error`} mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </fieldset>
  );
}
