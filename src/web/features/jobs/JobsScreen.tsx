import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { Job } from '#contract/jobs.ts';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { CancelJobDialog } from './CancelJobDialog.tsx';
import { ExecutionDialog } from './ExecutionDialog.tsx';
import { ExecutionHistory } from './ExecutionHistory.tsx';
import { JobCounters } from './JobCounters.tsx';
import { JobDialog } from './JobDialog.tsx';
import { JobList } from './JobList.tsx';
import classes from './JobsScreen.module.css';
import { useJobsSearch } from './jobs-search.ts';

/** What will be sent, what was sent, and what the engine did: with counters that filter, and a ledger for every job. */
export function JobsScreen() {
  const { tab, change } = useJobsSearch();
  const [cancelling, setCancelling] = useState<Job | null>(null);
  return (
    <>
      <PageHeader
        title="Job Scheduler"
        subtitle="Every occurrence that will be sent, and what became of those before."
      />
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
