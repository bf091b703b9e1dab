import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Button, SegmentedControl } from '@mantine/core';
import { IconHistory, IconRoute, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { AdminExecution } from '#contract/admin-logs.ts';
import type { AdminScope } from '#contract/admin-overview.ts';
import { unknownPathLimits } from '#contract/unknown-paths.ts';
import { ActKind } from '#contract/acts.ts';
import { auditLogDays, searchedDays } from '#contract/audit-log.ts';
import { useGoneWorkspaces, useInstallationActs, useLatestExecutions } from '#web/api/admin-logs.ts';
import { useUnknownPaths } from '#web/api/support.ts';
import classes from '#web/features/admin/admin.module.css';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { actColumns, Day, kindChoice } from '#web/features/workspaces/manage/AuditTab.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { PartlySentBadge } from '#web/ui/JobBadge.tsx';
import { List } from '#web/ui/List.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { durationText } from '#web/ui/duration.ts';
import { scrollStripTo } from '#web/ui/scroll-strip.ts';
import list from '#web/ui/list.module.css';
import record from '#web/ui/record.module.css';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { ApplicationLog } from './ApplicationLog.tsx';

const logs = [
  { value: 'executions', label: 'Executions' },
  { value: 'application', label: 'Application' },
  { value: 'audit', label: 'Audit log' },
  { value: 'gone', label: 'Deleted workspaces' },
  { value: 'unknown', label: 'Unknown paths' },
];

/** What ran last; for administrators of the installation also the log of every process and the installation's audit log. */
export default function LogsTab({ scope }: { scope: AdminScope }) {
  const { change, ...search } = useAdminSearch();
  const strip = useRef<HTMLDivElement>(null);
  // On a phone the logs scroll.
  useEffect(() => {
    scrollStripTo(strip.current, 'label[data-active]');
  }, [search.log]);
  if (scope === 'workspaces') return <Executions />;
  const { log: shown = 'executions' } = search;
  return (
    <div className={record.column}>
      <div className={classes.logs} ref={strip}>
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

/** The latest runs of jobs. */
function Executions() {
  return (
    <RecordSection title="Latest executions">
      <List
        isPart
        loading={10}
        noun="executions"
        of={useLatestExecutions()}
        empty="Nothing has run yet."
        columns={[
          {
            title: 'Job',
            narrow: 'line',
            cell: ({ job, workspace, error_message: error }) => (
              <span className={list.cell}>
                <span className={list.name}>{job}</span>
                <span className={list.note}>{workspace}</span>
                {error !== null && <span className={list.note}>{error}</span>}
              </span>
            ),
          },
          {
            title: 'Status',
            width: 'min(220px, 20vw)',
            cell: (execution) => <RunBadge of={execution} />,
          },
          {
            title: 'Duration',
            width: 100,
            isNumber: true,
            cell: ({ duration_ms: took }) => (took === null ? '–' : durationText(took)),
          },
          {
            title: 'Time',
            width: 210,
            narrow: 'line',
            cell: ({ started_at: at }) => <InstantText at={at} show="second" />,
          },
        ]}
      />
    </RecordSection>
  );
}

function RunBadge({ of }: { of: AdminExecution }) {
  if (of.is_partly_sent) return <PartlySentBadge />;
  if (of.is_cancelled) return <StatusBadge kind="job" status="cancelled" />;
  return <StatusBadge kind="execution" status={of.status} />;
}

/** The workspaces that were deleted for good, whose audit log only administrators can still read. */
function GoneWorkspaces() {
  const { change } = useAdminSearch();
  const found = useGoneWorkspaces();
  return (
    <List
      noun="deleted workspaces"
      of={found}
      extent={({ length }) => `${length.toLocaleString('en')} shown`}
      empty={{
        icon: IconTrash,
        title: 'No workspace was deleted for good',
        sentence: 'The audit log of one that is gone stays readable here.',
      }}
      columns={[
        { title: 'Workspace', cell: ({ name }) => <span className={list.name}>{name ?? 'Unknown'}</span> },
        {
          title: 'Deleted for good',
          width: 210,
          cell: ({ deleted_at: at }) => <InstantText at={at} show="second" />,
        },
        {
          title: 'Audit log',
          width: 'min(260px, 18.1vw)',
          narrow: 'line',
          cell: ({ id, name }) => (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Read the audit log of ${name ?? 'the workspace'}`}
              onClick={() => change({ log: 'audit', workspace: id })}
            >
              Read
            </Button>
          ),
        },
      ]}
    />
  );
}

/** What browsers asked for where there is no page: a broken link, or somebody who searches for weaknesses. */
const UnknownPaths = () => (
  <>
    <p className={list.note}>
      Paths without a page that browsers asked for in the last {unknownPathLimits.days} days, at most the latest{' '}
      {unknownPathLimits.paths}. Who asked is not kept.
    </p>
    <List
      noun="unknown paths"
      of={useUnknownPaths()}
      empty={{
        icon: IconRoute,
        title: 'Every path had a page',
        sentence: 'A link that leads nowhere appears here once somebody has followed it.',
      }}
      columns={[
        {
          title: 'Path',
          narrow: 'line',
          cell: ({ path, count }) => (
            <span className={list.cell}>
              <code>{path}</code>
              <span className={list.note}>{count === 1 ? 'Once' : `${count.toLocaleString('en')} times`}</span>
            </span>
          ),
        },
        { title: 'Last', width: 210, narrow: 'line', cell: ({ last_at: at }) => <InstantText at={at} show="second" /> },
      ]}
    />
  </>
);

/** The acts that belong to no workspace, or those of a workspace that is gone. */
function InstallationLog() {
  const { change, ...search } = useAdminSearch();
  const { workspace, from, to } = search;
  const kind = ActKind.options.find((known) => known === search.kind);
  const found = useInstallationActs({ search: search.search ?? '', workspace, kind, from, to });
  return (
    <>
      <p className={list.note}>
        {workspace === undefined
          ? 'Sign-ins, accounts and administration. What happens in a workspace is in its own audit log.'
          : 'The audit log of a workspace that is gone.'}{' '}
        Entries are kept for {auditLogDays} days. A search looks at the last {searchedDays} days unless you choose a
        day.
      </p>
      {workspace !== undefined && (
        <div>
          <Button variant="default" onClick={() => change({ workspace: undefined })}>
            Show the log of the installation
          </Button>
        </div>
      )}
      <FilterBar
        search={{ label: 'Search the audit log', value: search.search, onSearch: (text) => change({ search: text }) }}
        choices={[kindChoice({ value: kind, onChoose: (chosen) => change({ kind: chosen }) })]}
      >
        <Day word="From" label="From day" value={from} onChange={(chosen) => change({ from: chosen })} />
        <Day word="To" label="To day" value={to} onChange={(chosen) => change({ to: chosen })} />
      </FilterBar>
      <List
        noun="the audit log"
        of={found}
        columns={actColumns}
        extent={({ length }) => `${length.toLocaleString('en')} shown`}
        noMatch={{
          icon: IconHistory,
          title: 'No entries found',
          sentence: 'No entry of the audit log matches these filters.',
          all: 'Show all entries',
          onShowAll: () => change({ search: undefined, kind: undefined, from: undefined, to: undefined }),
        }}
      />
    </>
  );
}
