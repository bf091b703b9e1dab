import { Tabs } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { BasicInfoTab } from './BasicInfoTab.tsx';
import { ContentTab } from './ContentTab.tsx';
import { useTemplateFormContext } from './form-context.ts';
import classes from './TemplateForm.module.css';
import { VariablesTab } from './VariablesTab.tsx';

const tabs = [
  { id: 'basic', label: 'Basic Info', panel: BasicInfoTab },
  { id: 'content', label: 'Content', panel: ContentTab },
  { id: 'variables', label: 'Variables', panel: VariablesTab },
] as const;
type Tab = (typeof tabs)[number]['id'];

function tabOf(path: string): Tab {
  if (path.startsWith('content')) return 'content';
  return path.startsWith('variables') || path.startsWith('entry') ? 'variables' : 'basic';
}

/** The three tabs; each time `refusals` grows, the first that holds an error opens with the focus on it. */
export function TemplateTabs({ refusals }: { refusals: number }) {
  const { errors } = useTemplateFormContext();
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
      <Tabs.List className={classes.tabs} aria-label="Parts of the template">
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
          <Panel />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
