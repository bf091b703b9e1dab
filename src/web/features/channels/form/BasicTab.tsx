import { Select, Stack, Switch, TextInput } from '@mantine/core';
import { configurableTypes, rateLimits } from '#contract/channels.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { NumberField } from '#web/ui/NumberField.tsx';
import { type Frame, withType } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';

const typeChoices = configurableTypes.map((type) => ({ value: type, label: channelLooks[type].name }));

export function BasicTab({ frame: { channel } }: { frame: Frame }) {
  const form = useChannelFormContext();
  const choose = (value: string | null) => {
    const type = configurableTypes.find((known) => known === value);
    if (type) form.setValues(withType(form.getValues(), type));
  };
  return (
    <Stack gap={16}>
      <TextInput
        label="Name"
        placeholder="Front desk"
        required
        maxLength={100}
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Select
        label="Type"
        description={channel ? 'Changing the type clears the configuration.' : undefined}
        required
        allowDeselect={false}
        data={typeChoices}
        value={form.values.type}
        onChange={choose}
        error={form.errors.type}
      />
      <NumberField
        label="Messages per second"
        description="Messages above the limit wait."
        placeholder="No limit"
        min={rateLimits.least}
        max={rateLimits.most}
        {...form.getInputProps('rate_limit_per_second')}
      />
      <Switch
        label="Active"
        // Without it, the accessible name would include the description.
        aria-label="Active"
        description="Only active channels send reminders."
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
    </Stack>
  );
}
