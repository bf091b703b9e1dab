import { Card, Tabs } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { JobSummary } from '#contract/jobs.ts';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { CancelJobDialog } from './CancelJobDialog.tsx';
import { ExecutionDialog } from './ExecutionDialog.tsx';
import { ExecutionHistory } from './ExecutionHistory.tsx';
import { JobCounters } from './JobCounters.tsx';
import { JobDialog } from './JobDialog.tsx';
import { JobList } from './JobList.tsx';
import { JobRowsSkeleton } from './JobRows.tsx';
import classes from './JobsScreen.module.css';
import { useJobsSearch } from './jobs-search.ts';

const EventList = lazy(() => import('#web/features/events/EventList.tsx'));

const tabs = { scheduled: 'Scheduled Jobs', history: 'Execution History', events: 'Events' } as const;

/** Upcoming jobs, past jobs, executions and the events that came in, with counters that filter and a ledger for every job. */
export function JobsScreen() {
  const { tab = 'scheduled', change } = useJobsSearch();
  const [cancelling, setCancelling] = useState<JobSummary | null>(null);
  return (
    <>
      <PageHeader title="Job Scheduler" subtitle="All upcoming jobs, and the results of past ones." />
      <JobCounters />
      <Tabs
        className={classes.tabs}
        value={tab}
        onChange={(chosen) => change({ tab: chosen === 'history' || chosen === 'events' ? chosen : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb={16} className={classes.list}>
          {Object.entries(tabs).map(([value, name]) => (
            <Tabs.Tab key={value} value={value}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="scheduled">
          <JobList onCancel={setCancelling} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <ExecutionHistory />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <Suspense
            fallback={
              <Card padding={0} aria-busy>
                <JobRowsSkeleton />
              </Card>
            }
          >
            <EventList />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      <ExecutionDialog />
      <JobDialog onCancel={setCancelling} />
      <CancelJobDialog job={cancelling} onClose={() => setCancelling(null)} />
    </>
  );
}
