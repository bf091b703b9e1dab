// Styles of components that only this tab uses; they load with the tab.
import { capitalized } from '#domain/in-words.ts';
import '@mantine/dates/styles.layer.css';
import { Select, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { IconCalendarRepeat } from '@tabler/icons-react';
import { misfirePolicies } from '#contract/misfire.ts';
import { calendarTrigger, delayUnits, eventTriggers } from '#contract/schedules.ts';
import { useRememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { useReminder } from '#web/api/reminders.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { misfireOf, misfireWords } from '#web/features/workspaces/misfire-words.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { NumberField } from '#web/ui/NumberField.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { useReminderFormContext } from './form-context.ts';
import classes from './ReminderForm.module.css';
import { type ScheduleForecast, useScheduleForecast } from './schedule-forecast.ts';
import { eventNames, scheduleInWords } from './schedule-words.ts';
import { ScheduledFields } from './ScheduledFields.tsx';
import { zoneChoices } from './zones.ts';
import { isSentAtOnce, isWrittenOnce, type ScheduleDraft } from './draft.ts';
import forecastPanelClasses from './ForecastPanel.module.css';

/** The schedule, with a forecast next to it. */
export default function ScheduleTab() {
  const { values } = useReminderFormContext();
  const { schedule_config: schedule } = values;
  const forecast = useScheduleForecast(schedule);
  const isNow = isWrittenOnce(values) && isSentAtOnce(values);
  if (schedule.type === 'event-based' && schedule.eventTrigger === calendarTrigger) return <CalendarNote />;
  return (
    <div className={classes.columns}>
      <Stack gap={20}>
        {schedule.type === 'scheduled' ? <ScheduledFields cronError={forecast.cronError} /> : <EventFields />}
        <ZoneField />
        {schedule.type === 'scheduled' && <MisfireField />}
      </Stack>
      <ForecastPanel schedule={schedule} forecast={isNow ? sentNow(forecast) : forecast} />
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
const unitChoices = delayUnits.map((value) => ({ value, label: capitalized(value) }));

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

const HookSection = lazyPart(() => import('#web/features/hooks/HookSection.tsx'));

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
        <TextLink to="/admin/workspace/$workspaceId/manage" params={{ workspaceId }} td="underline">
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

/** Nobody has chosen the time of a message that is sent by the button. */
const sentNow = (forecast: ScheduleForecast): ScheduleForecast => ({
  ...forecast,
  occurrences: forecast.occurrences?.map(({ at }) => ({ at, notes: ['now: as soon as you send it'] })),
});

type ForecastPanelProps = { schedule: ScheduleDraft; forecast: ScheduleForecast };

/** The schedule as a sentence, and the next occurrences in its zone. */
function ForecastPanel({ schedule, forecast }: ForecastPanelProps) {
  const words = scheduleInWords(schedule);
  return (
    <section className={forecastPanelClasses.panel} aria-labelledby="forecast" aria-live="polite">
      <Title order={2} size="h4" id="forecast" className={forecastPanelClasses.title}>
        <IconCalendarRepeat size={16} stroke={1.8} aria-hidden />
        {schedule.type === 'scheduled' ? 'Next occurrences' : 'When it is sent'}
      </Title>
      {words && <p className={forecastPanelClasses.words}>{words}</p>}
      {schedule.type === 'scheduled' ? (
        <Occurrences zone={schedule.timezone} forecast={forecast} />
      ) : (
        <p className={forecastPanelClasses.note}>{eventNote(schedule, { isWhole: words !== null })}</p>
      )}
    </section>
  );
}

function eventNote({ eventTrigger }: ScheduleDraft, { isWhole }: { isWhole: boolean }): string {
  if (isWhole) return 'Sent once for each event that Cuebird receives.';
  return eventTrigger === null ? 'Select an event. Without one, nothing is sent.' : 'Enter a delay of 0 or more.';
}

function Occurrences({
  zone,
  forecast: { occurrences, error, cronError, isStale },
}: {
  zone: string;
  forecast: ScheduleForecast;
}) {
  if (error) return <p className={forecastPanelClasses.error}>{error}</p>;
  if (cronError) return <p className={forecastPanelClasses.note}>No occurrences: the cron expression is not valid.</p>;
  if (!occurrences)
    return isStale ? <OccurrencesSkeleton /> : <p className={forecastPanelClasses.note}>Enter a cron expression.</p>;
  if (occurrences.length === 0) return <p className={forecastPanelClasses.note}>No more occurrences</p>;
  return (
    <ol className={forecastPanelClasses.list} data-stale={isStale}>
      {occurrences.map(({ at, notes }) => (
        <li key={at}>
          <InstantText at={at} zone={zone} />
          {notes.map((note) => (
            <Text key={note} mt={2} c="dimmed" fz={13}>
              {note}
            </Text>
          ))}
        </li>
      ))}
    </ol>
  );
}

function OccurrencesSkeleton() {
  return (
    <ol className={forecastPanelClasses.list} aria-hidden>
      {[1, 2, 3, 4, 5].map((row) => (
        <li key={row}>
          <Skeleton height={12} width="75%" my={4} />
        </li>
      ))}
    </ol>
  );
}
