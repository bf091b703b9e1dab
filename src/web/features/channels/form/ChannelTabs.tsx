import { Tabs } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { BasicTab } from './BasicTab.tsx';
import classes from './ChannelForm.module.css';
import { ConfigurationTab } from './ConfigurationTab.tsx';
import type { Frame } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';

const tabs = [
  { id: 'basic', label: 'Basic Settings', panel: BasicTab },
  { id: 'configuration', label: 'Configuration', panel: ConfigurationTab },
] as const;
type Tab = (typeof tabs)[number]['id'];

const tabOf = (path: string): Tab => (path.startsWith('configuration') ? 'configuration' : 'basic');

/** Both tabs; each time `refusals` grows, the first that holds an error opens with the focus on it. */
export function ChannelTabs({ frame, refusals }: { frame: Frame; refusals: number }) {
  const { errors } = useChannelFormContext();
  const wrong = tabs.map(({ id }) => id).filter((id) => Object.keys(errors).some((path) => tabOf(path) === id));
  const [tab, setTab] = useState<Tab>('basic');
  const [seen, setSeen] = useState(refusals);
  const root = useRef<HTMLDivElement>(null);
  // While rendering, so that the tab is open before the focus looks for its field.
  if (refusals !== seen) {
    setSeen(refusals);
    if (wrong[0]) setTab(wrong[0]);
  }
  useEffect(() => {
    if (refusals > 0) root.current?.querySelector<HTMLElement>('[role="tabpanel"] [aria-invalid="true"]')?.focus();
  }, [refusals]);
  return (
    <Tabs
      ref={root}
      value={tab}
      onChange={(chosen) => setTab((now) => tabs.find(({ id }) => id === chosen)?.id ?? now)}
      // The focus looks for the first error of the open tab only.
      keepMounted={false}
    >
      <Tabs.List className={classes.tabs} aria-label="Parts of the channel">
        {tabs.map(({ id, label }) => (
          <Tabs.Tab
            key={id}
            value={id}
            data-wrong={wrong.includes(id)}
            rightSection={wrong.includes(id) && <IconAlertCircle size={16} role="img" aria-label="has errors" />}
          >
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, panel: Panel }) => (
        <Tabs.Panel key={id} value={id} className={classes.panel}>
          <Panel frame={frame} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
