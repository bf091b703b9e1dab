// Styles of components that only this tab uses; they load with the tab.
import '@mantine/dates/styles.layer.css';
import { Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { misfirePolicies } from '#contract/misfire.ts';
import { calendarTrigger, delayUnits, eventTriggers } from '#contract/schedules.ts';
import { useRememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { useReminder } from '#web/api/reminders.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { misfireOf, misfireWords } from '#web/features/workspaces/misfire-words.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { NumberField } from '#web/ui/NumberField.tsx';
import { ForecastPanel } from './ForecastPanel.tsx';
import { useReminderFormContext } from './form-context.ts';
import classes from './ReminderForm.module.css';
import { useScheduleForecast } from './schedule-forecast.ts';
import { eventNames } from './schedule-words.ts';
import { ScheduledFields } from './ScheduledFields.tsx';
import { zoneChoices } from './zones.ts';

/** The schedule, with a forecast next to it. */
export default function ScheduleTab() {
  const { schedule_config: schedule } = useReminderFormContext().values;
  const forecast = useScheduleForecast(schedule);
  if (schedule.type === 'event-based' && schedule.eventTrigger === calendarTrigger) return <CalendarNote />;
  return (
    <div className={classes.columns}>
      <Stack gap={20}>
        {schedule.type === 'scheduled' ? <ScheduledFields cronError={forecast.cronError} /> : <EventFields />}
        <ZoneField />
        {schedule.type === 'scheduled' && <MisfireField />}
      </Stack>
      <ForecastPanel schedule={schedule} forecast={forecast} />
    </div>
  );
}

function ZoneField() {
  const form = useReminderFormContext();
  const [choices] = useState(() =>
    zoneChoices(new Date(), [viewerZone(), form.getInitialValues().schedule_config.timezone]),
  );
  return (
    <Select
      label="Timezone"
      data={choices}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No timezone found"
      maxDropdownHeight={280}
      {...form.getInputProps('schedule_config.timezone')}
      onChange={(zone) => {
        if (zone !== null) form.setFieldValue('schedule_config.timezone', zone);
      }}
    />
  );
}

const triggerChoices = eventTriggers.map((value) => ({ value, label: eventNames[value] }));
const unitChoices = delayUnits.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));

/** The event with the hook that reports it, and the delay after it. */
function EventFields() {
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

const HookSection = lazy(() => import('#web/features/hooks/HookSection.tsx'));

/** The hook of the reminder that is edited; one that is not saved with this trigger has none yet. */
function HookOfForm() {
  const { id } = useParams({ strict: false });
  const { data: saved } = useReminder(id);
  if (saved?.schedule_config.eventTrigger !== 'custom_webhook')
    return (
      <Text size="sm" c="dimmed">
        The address that other systems call is shown here and on the page of the reminder once it is saved.
      </Text>
    );
  return (
    <Suspense fallback={<Skeleton height={360} radius="md" />}>
      <HookSection reminder={saved} />
    </Suspense>
  );
}

/** Instead of a schedule: what the calendar decides is changed there. */
function CalendarNote() {
  const workspaceId = useRememberedWorkspaceId();
  return (
    <p>
      A calendar decides when this reminder is sent: before each of its events.{' '}
      {workspaceId !== null && (
        <TextLink to="/admin/workspace/$workspaceId/manage" params={{ workspaceId }} underline="always">
          Change the calendar
        </TextLink>
      )}
    </p>
  );
}

/** What is done with occurrences that were missed; by default what the workspace says. */
function MisfireField() {
  const form = useReminderFormContext();
  const usual = misfireWords[misfireOf(useWorkspace().workspace.settings)];
  return (
    <Select
      label="Missed occurrences"
      description="For when Cuebird was not running at the time."
      data={[
        { value: '', label: `Workspace's default (${usual.charAt(0).toLowerCase()}${usual.slice(1)})` },
        ...misfirePolicies.map((value) => ({ value, label: misfireWords[value] })),
      ]}
      allowDeselect={false}
      value={form.values.metadata.misfire ?? ''}
      error={form.errors['metadata.misfire']}
      onChange={(chosen) =>
        form.setFieldValue(
          'metadata.misfire',
          misfirePolicies.find((one) => one === chosen),
        )
      }
    />
  );
}
