import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { scrollStripTo } from './scroll-strip.ts';
import classes from './TabList.module.css';

/** The tabs of a screen in one line: on a phone it scrolls, to the tab that is shown. */
export function TabList({ shown, children }: { shown: string | undefined; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    scrollStripTo(list.current, '[aria-selected="true"]');
  }, [shown]);
  return (
    <Tabs.List mb={16} className={classes.tabs} ref={list}>
      {children}
    </Tabs.List>
  );
}
