import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { JobSummary } from '#contract/jobs.ts';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { CancelJobDialog } from './CancelJobDialog.tsx';
import { ExecutionDialog } from './ExecutionDialog.tsx';
import { ExecutionHistory } from './ExecutionHistory.tsx';
import { JobCounters } from './JobCounters.tsx';
import { JobDialog } from './JobDialog.tsx';
import { JobList } from './JobList.tsx';
import classes from './JobsScreen.module.css';
import { useJobsSearch } from './jobs-search.ts';

/** Upcoming jobs, past jobs and executions, with counters that filter and a ledger for every job. */
export function JobsScreen() {
  const { tab, change } = useJobsSearch();
  const [cancelling, setCancelling] = useState<JobSummary | null>(null);
  return (
    <>
      <PageHeader title="Job Scheduler" subtitle="All upcoming jobs, and the results of past ones." />
      <JobCounters />
      <Tabs
        className={classes.tabs}
        value={tab ?? 'scheduled'}
        onChange={(chosen) => change({ tab: chosen === 'history' ? 'history' : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb={16}>
          <Tabs.Tab value="scheduled">Scheduled Jobs</Tabs.Tab>
          <Tabs.Tab value="history">Execution History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="scheduled">
          <JobList onCancel={setCancelling} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <ExecutionHistory />
        </Tabs.Panel>
      </Tabs>
      <ExecutionDialog />
      <JobDialog onCancel={setCancelling} />
      <CancelJobDialog job={cancelling} onClose={() => setCancelling(null)} />
    </>
  );
}
