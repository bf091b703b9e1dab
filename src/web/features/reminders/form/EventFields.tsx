import { Select, SimpleGrid } from '@mantine/core';
import { delayUnits, eventTriggers } from '#contract/schedules.ts';
import { NumberField } from '#web/ui/NumberField.tsx';
import { eventNames } from './schedule-words.ts';
import { useReminderFormContext } from './form-context.ts';
import { HookOfForm } from './HookOfForm.tsx';

const triggerChoices = eventTriggers.map((value) => ({ value, label: eventNames[value] }));
const unitChoices = delayUnits.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));

/** The event with the hook that reports it, and the delay after it. */
export function EventFields() {
  const form = useReminderFormContext();
  const unit = form.getInputProps('schedule_config.delayUnit');
  return (
    <>
      <Select
        label="Event trigger"
        placeholder="Select an event"
        data={triggerChoices}
        {...form.getInputProps('schedule_config.eventTrigger')}
      />
      {form.values.schedule_config.eventTrigger === 'custom_webhook' && <HookOfForm />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16} verticalSpacing={20}>
        <NumberField label="Delay amount" min={0} {...form.getInputProps('schedule_config.delayAmount')} />
        <Select
          label="Delay unit"
          data={unitChoices}
          allowDeselect={false}
          {...unit}
          onChange={(value) => {
            const chosen = delayUnits.find((known) => known === value);
            if (chosen) form.setFieldValue('schedule_config.delayUnit', chosen);
          }}
        />
      </SimpleGrid>
    </>
  );
}
