import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { AdminScope } from '#contract/admin-overview.ts';
import classes from '#web/features/admin/admin.module.css';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { ApplicationLog } from './ApplicationLog.tsx';
import { Executions } from './Executions.tsx';
import { GoneWorkspaces } from './GoneWorkspaces.tsx';
import { InstallationLog } from './InstallationLog.tsx';
import { UnknownPaths } from './UnknownPaths.tsx';

const logs = [
  { value: 'executions', label: 'Executions' },
  { value: 'application', label: 'Application' },
  { value: 'audit', label: 'Audit log' },
  { value: 'gone', label: 'Deleted workspaces' },
  { value: 'unknown', label: 'Unknown paths' },
];

/** What ran last; for administrators of the installation also the log of every process and the installation's audit log. */
export default function LogsTab({ scope }: { scope: AdminScope }) {
  const { search, change } = useAdminSearch();
  const list = useRef<HTMLDivElement>(null);
  // On a phone the logs scroll.
  useEffect(() => {
    list.current?.querySelector('label[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [search.log]);
  if (scope === 'workspaces') return <Executions />;
  const { log: shown = 'executions' } = search;
  return (
    <div className={classes.tab}>
      <div className={classes.logs} ref={list}>
        <SegmentedControl
          aria-label="Which log"
          data={logs}
          value={shown}
          onChange={(chosen) =>
            change({
              log: (['application', 'audit', 'gone', 'unknown'] as const).find((log) => log === chosen),
              search: undefined,
              level: undefined,
              kind: undefined,
              workspace: undefined,
              from: undefined,
              to: undefined,
            })
          }
        />
      </div>
      {shown === 'executions' && <Executions />}
      {shown === 'application' && <ApplicationLog />}
      {shown === 'audit' && <InstallationLog />}
      {shown === 'gone' && <GoneWorkspaces />}
      {shown === 'unknown' && <UnknownPaths />}
    </div>
  );
}
