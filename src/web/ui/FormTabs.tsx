import { Tabs } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './FormTabs.module.css';

type FormTabsProps<Id extends string> = {
  label: string;
  tabs: readonly { id: Id; label: string; panel: ReactNode }[];
  /** Of the form, by the path of the field. */
  errors: object;
  /** The tab that holds the field. */
  tabOf: (path: string) => Id;
  /** How often saving was refused for an error in a field. */
  refusals: number;
};

/** A form's parts, marked where they hold errors; each time `refusals` grows, the first of these opens with the focus on it. */
export function FormTabs<Id extends string>({ label, tabs, errors, tabOf, refusals }: FormTabsProps<Id>) {
  const wrong = tabs.map(({ id }) => id).filter((id) => Object.keys(errors).some((path) => tabOf(path) === id));
  const [tab, setTab] = useState<string | null>(tabs[0]?.id ?? null);
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
    // The focus looks for the first error of the open tab only.
    <Tabs ref={root} value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List className={classes.tabs} aria-label={label}>
        {tabs.map(({ id, label: name }) => (
          <Tabs.Tab
            key={id}
            value={id}
            data-wrong={wrong.includes(id)}
            rightSection={wrong.includes(id) && <IconAlertCircle size={16} role="img" aria-label="has errors" />}
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, panel }) => (
        <Tabs.Panel key={id} value={id} className={classes.panel}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
