import { Stack, Textarea, TextInput } from '@mantine/core';
import { IconBolt, IconCalendarEvent } from '@tabler/icons-react';
import { useReminderFormContext } from './form-context.ts';
import { Tiles } from './Tiles.tsx';

const triggers = [
  { value: 'scheduled', name: 'Scheduled', hint: 'Sent at times you set', icon: IconCalendarEvent },
  { value: 'event-based', name: 'Event-based', hint: 'Sent after something happens', icon: IconBolt },
] as const;

export function BasicInfoTab() {
  const form = useReminderFormContext();
  return (
    <Stack gap={20}>
      <TextInput label="Title" withAsterisk placeholder="Rent is due" {...form.getInputProps('name')} />
      <Textarea
        label="Description"
        placeholder="What this reminder is for"
        rows={3}
        {...form.getInputProps('description')}
      />
      <Tiles
        kind="one"
        label="Trigger type"
        tiles={triggers}
        chosen={[form.values.schedule_config.type]}
        error={form.errors['schedule_config.type']}
        onChoose={(type) => form.setFieldValue('schedule_config.type', type)}
      />
    </Stack>
  );
}
