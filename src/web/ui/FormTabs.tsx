import { Tabs } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './FormTabs.module.css';

type FormTabsProps<Id extends string> = {
  label: string;
  tabs: readonly { id: Id; label: string; panel: ReactNode }[];
  /** The form's errors, by field path. */
  errors: object;
  /** Returns the tab of a field. */
  tabOf: (path: string) => Id;
  /** The number of times that saving was refused because of errors. */
  refusals: number;
};

/**
 * The tabs of a form, with an icon on those with errors; when `refusals` grows, the first of these opens and its field
 * gets the focus. A dialog does not become lower when another tab opens.
 */
export function FormTabs<Id extends string>({ label, tabs, errors, tabOf, refusals }: FormTabsProps<Id>) {
  const wrong = tabs.map(({ id }) => id).filter((id) => Object.keys(errors).some((path) => tabOf(path) === id));
  const [tab, setTab] = useState<string | null>(tabs[0]?.id ?? null);
  const [seen, setSeen] = useState(refusals);
  const [tallest, setTallest] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  // The tab opens during rendering, before the effect focuses its field.
  if (refusals !== seen) {
    setSeen(refusals);
    if (wrong[0]) setTab(wrong[0]);
  }
  useEffect(() => {
    if (refusals > 0) root.current?.querySelector<HTMLElement>('[role="tabpanel"] [aria-invalid="true"]')?.focus();
  }, [refusals]);
  const open = (next: string | null) => {
    const panels = root.current?.querySelectorAll<HTMLElement>('[role="tabpanel"]') ?? [];
    // Fractions of a pixel too, and whatever the opening dialog is scaled by.
    const heights = [...panels].map((panel) => Number.parseFloat(getComputedStyle(panel).height) || 0);
    setTallest(Math.max(tallest, ...heights));
    setTab(next);
  };
  return (
    // Only the open tab is mounted, so that the first error in the DOM is in it.
    <Tabs ref={root} value={tab} onChange={open} keepMounted={false}>
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
        <Tabs.Panel key={id} value={id} className={classes.panel} mih={tallest > 0 ? tallest : undefined}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
