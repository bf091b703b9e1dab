import { Select, Skeleton, Stack, Tabs, Textarea, TextInput } from '@mantine/core';
import { IconAlertCircle, IconBolt, IconCalendarEvent } from '@tabler/icons-react';
import { type ComponentType, Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { priorities } from '#contract/reminders.ts';
import { capitalized } from '#domain/in-words.ts';
import { ChannelsTab } from './ChannelsTab.tsx';
import { ContentTab } from './ContentTab.tsx';
import { isWrittenOnce } from './draft.ts';
import { useTriggerChoice } from './EventPeopleDialog.tsx';
import { useReminderFormContext } from './form-context.ts';
import { useFormSearch } from './form-search.ts';
import { type FormTab, formTabs, tabsWithErrors } from './form-tabs.ts';
import classes from './ReminderForm.module.css';
import { Tiles } from './Tiles.tsx';

// The tab with its calendar is larger than the other three; it loads while the user fills in the first.
const ScheduleTab = lazyPart(() => import('./ScheduleTab.tsx'));

const panels: Record<FormTab, ComponentType> = {
  basic: BasicInfoTab,
  schedule: ScheduleTab,
  channels: ChannelsTab,
  content: ContentTab,
};

/** The tab to open, and the number of jumps so far. */
export type TabJump = { tab: FormTab; times: number };

/**
 * The four tabs; the URL names the open one. When `refusals` grows, the first tab with an error opens and its field
 * gets the focus. A jump opens its tab and focuses the tab's title.
 */
export function FormTabs({ refusals, jump }: { refusals: number; jump: TabJump }) {
  const { errors } = useReminderFormContext();
  const wrong = tabsWithErrors(Object.keys(errors));
  const { tab: linked = 'basic', change } = useFormSearch();
  const [tab, setTab] = useState<FormTab>(linked);
  const root = useRef<HTMLDivElement>(null);
  const firstWrong = wrong[0];
  useOnGrowth(refusals, () => {
    if (firstWrong) setTab(firstWrong);
  });
  useOnGrowth(jump.times, () => setTab(jump.tab));
  const announced = useRef(tab);
  useEffect(() => {
    if (tab === announced.current) return;
    announced.current = tab;
    change({ tab: tab === 'basic' ? undefined : tab });
  });
  useEffect(() => {
    if (jump.times > 0) root.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }, [jump.times]);
  useEffect(() => {
    if (refusals > 0) focusFirstError(root.current);
  }, [refusals]);
  return (
    <Tabs
      ref={root}
      value={tab}
      onChange={(chosen) => setTab((now) => formTabs.find(({ id }) => id === chosen)?.id ?? now)}
    >
      <Tabs.List className={classes.tabs} aria-label="Parts of the reminder">
        {formTabs.map(({ id, label }) => (
          <Tabs.Tab
            key={id}
            value={id}
            data-wrong={wrong.includes(id)}
            rightSection={wrong.includes(id) && <WrongMark />}
          >
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {formTabs.map(({ id }) => {
        const Panel = panels[id];
        return (
          <Tabs.Panel key={id} value={id} className={classes.panel}>
            <Suspense fallback={<Skeleton height={260} />}>
              <Panel />
            </Suspense>
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}

const WrongMark = () => <IconAlertCircle size={16} role="img" aria-label="has errors" />;

/** Runs `act` during rendering, so that the tab is open before the effect focuses its field. */
function useOnGrowth(count: number, act: () => void): void {
  const [seen, setSeen] = useState(count);
  if (count === seen) return;
  setSeen(count);
  act();
}

function focusFirstError(root: HTMLElement | null): void {
  const panel = root?.querySelector(`.${classes.panel}:not([style*="display: none"])`);
  panel?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus();
}

const triggers = [
  { value: 'scheduled', name: 'Scheduled', hint: 'Sent at times you set', icon: IconCalendarEvent },
  { value: 'event-based', name: 'Event-based', hint: 'Sent after something happens', icon: IconBolt },
] as const;

function BasicInfoTab() {
  const form = useReminderFormContext();
  const trigger = useTriggerChoice();
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
        onChoose={trigger.choose}
      />
      {trigger.dialog}
      {!isWrittenOnce(form.values) && (
        <Select
          label="Priority"
          description="Shown on the dashboard and on the page of the reminder. A high one is sent however many messages the workspace's frequency cap allows."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={priorities.map((value) => ({ value, label: capitalized(value) }))}
          allowDeselect={false}
          maw={420}
          {...form.getInputProps('metadata.priority')}
        />
      )}
    </Stack>
  );
}
