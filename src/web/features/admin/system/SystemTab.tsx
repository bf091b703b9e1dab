import { Alert as Box, Flex, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Percentiles, SystemState } from '#contract/admin-system.ts';
import type { Alert, AlertCause } from '#contract/alerts.ts';
import { useDismissAlert, useSystemState } from '#web/api/admin-system.ts';
import classes from '#web/features/admin/figures.module.css';
import { Figures, FiguresSkeleton } from '#web/features/workspaces/analytics/Figures.tsx';
import { Bars } from '#web/ui/Bars.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { act } from '#web/ui/act.ts';
import { type Column, Table } from '#web/ui/Table.tsx';
import list from '#web/ui/list.module.css';
import { bytesText, secondsText } from './units.ts';
import analytics from '#web/features/workspaces/analytics/analytics.module.css';
import { HiddenTable } from '#web/features/workspaces/analytics/DayTable.tsx';

const failed = 'Error loading system data';

/** How the installation runs. */
export default function SystemTab() {
  const found = useSystemState();
  return (
    <div className={classes.tab}>
      <Loaded of={found} failed={failed} skeleton={<FiguresSkeleton label="Loading" count={5} />}>
        {(state) => (
          <>
            <Alerts alerts={state.alerts} />
            <Figures label="System" of={figuresOf(state)} />
            <p className={list.note}>
              As of <InstantText at={new Date(found.dataUpdatedAt).toISOString()} show="second" />, renewed every 15
              seconds
            </p>
            <div className={analytics.columns}>
              <Times title="Response times" of={state.responses} counted="requests" />
              <Times title="Lateness of deliveries" of={state.lateness} counted="first attempts" />
            </div>
            <Minutes minutes={state.minutes} />
            <Processes {...state} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function figuresOf({ processes, processors, queue, database, disk }: SystemState) {
  const running = processes.filter(({ state }) => state === 'running');
  const cpu = running.reduce((sum, process) => sum + process.cpu, 0);
  const memory = running.reduce((sum, process) => sum + process.memory_bytes, 0);
  const ofAll = `of ${running.length} ${running.length === 1 ? 'process' : 'processes'}`;
  return [
    { label: 'CPU', value: `${cpu.toFixed(2)} cores`, note: `${ofAll}; this machine has ${processors}` },
    { label: 'Memory', value: bytesText(memory), note: ofAll },
    disk === null
      ? { label: 'Disk', value: '–', note: 'DATA_DIR cannot be read' }
      : { label: 'Disk', value: `${bytesText(disk.free_bytes)} free`, note: `of ${bytesText(disk.size_bytes)}` },
    {
      label: 'Database',
      value: bytesText(database.size_bytes),
      note: `${database.connections} of ${database.max_connections} connections`,
    },
    { label: 'Queue', value: queue.due, note: queueText(queue) },
  ];
}

/** How many wait, for how long the first of them does, and how many run. */
function queueText({ oldest_due: oldest, running }: SystemState['queue']): string {
  const waits = oldest === null ? '' : `, the first since ${timeOf(oldest)}`;
  return `due jobs${waits}; ${running.toLocaleString('en')} running`;
}

type Measured = { id: string; found: Percentiles };
type TimesProps = { title: string; of: { quarter_hour: Percentiles; hour: Percentiles }; counted: string };

function Times({ title, of, counted }: TimesProps) {
  const rows: Measured[] = [
    { id: '15 minutes', found: of.quarter_hour },
    { id: 'Hour', found: of.hour },
  ];
  const last: Column<Measured> = {
    title: 'Last',
    cell: ({ id, found }) => (
      <>
        <span className={classes.name}>{id}</span>
        <span className={classes.note}>
          {(found?.count ?? 0).toLocaleString('en')} {counted}
        </span>
      </>
    ),
  };
  return (
    <RecordSection title={title}>
      <Table rows={rows} columns={[last, ...percentiles]} className={classes.table} />
    </RecordSection>
  );
}

const percentiles: readonly Column<Measured>[] = [
  { title: 'Half within', isNumber: true, cell: ({ found }) => secondsText(found?.median) },
  { title: '95% within', isNumber: true, cell: ({ found }) => secondsText(found?.p95) },
  { title: '99% within', isNumber: true, cell: ({ found }) => secondsText(found?.p99) },
];

function Minutes({ minutes }: { minutes: SystemState['minutes'] }) {
  const sent = minutes.reduce((sum, minute) => sum + minute.sent, 0);
  const lost = minutes.reduce((sum, minute) => sum + minute.failed, 0);
  const words = `${sent.toLocaleString('en')} sent and ${lost.toLocaleString('en')} failed in the last hour`;
  const most = Math.max(...minutes.map((minute) => minute.sent + minute.failed));
  return (
    <RecordSection title="Deliveries per minute" aside={<span className={classes.note}>{words}</span>}>
      {most === 0 ? (
        <p className={list.none}>Nothing was delivered in the last hour.</p>
      ) : (
        <div className={classes.chart}>
          <Bars
            className={classes.tall}
            label={`${words}, at most ${most.toLocaleString('en')} in one minute`}
            bars={minutes.map(({ minute, sent: good, failed: bad }) => ({
              key: minute,
              title: `${timeOf(minute)}: ${good} sent${bad > 0 ? `, ${bad} failed` : ''}`,
              good,
              bad,
            }))}
          />
          <Flex gap={12} justify="space-between" pt={4} fz="xs" c="dimmed" className="figures" aria-hidden>
            <span>{timeOf(minutes[0]?.minute)}</span>
            <span>highest: {most.toLocaleString('en')} in a minute</span>
            <span>{timeOf(minutes.at(-1)?.minute)}</span>
          </Flex>
          <HiddenTable
            caption="Deliveries per minute"
            titles={['Minute', 'Sent', 'Failed']}
            rows={minutes
              .filter((minute) => minute.sent + minute.failed > 0)
              .map(({ minute, sent: good, failed: bad }) => ({
                key: minute,
                cells: [<InstantText key={minute} at={minute} />, good, bad],
              }))}
          />
        </div>
      )}
    </RecordSection>
  );
}

/** `09:05`, in the viewer's zone. */
const timeOf = (instant: string | undefined) =>
  instant === undefined ? '' : new Date(instant).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

const titles: Record<AlertCause, string> = {
  backup_failed: 'A backup failed',
  disk_nearly_full: 'The disk is nearly full',
  late_deliveries: 'Deliveries are late',
  sign_in_failures: 'Many sign-ins fail',
};

/** What administrators were told in the last seven days, until somebody dismisses it. */
function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  const dismiss = useDismissAlert();
  const section = useRef<HTMLElement>(null);
  return alerts.length === 0 ? null : (
    <section aria-label="Alerts" className={classes.tab} ref={section} tabIndex={-1}>
      {alerts.map((alert) => {
        const { cause, day, detail, last_at: at, mailed_at: mailed, resolved_at: resolved } = alert;
        return (
          <Box
            key={`${cause} ${day}`}
            color={resolved === null ? 'red' : 'gray'}
            icon={resolved === null ? <IconAlertTriangle size={18} /> : <IconCheck size={18} />}
            title={resolved === null ? titles[cause] : `${titles[cause]}: over`}
            withCloseButton
            closeButtonLabel={`Dismiss: ${titles[cause]}`}
            onClose={() => {
              // The button is gone with its alert.
              section.current?.focus();
              void act(dismiss.mutateAsync(alert), { failed: 'Error dismissing the alert' });
            }}
          >
            {detail} {/* On the colour of an alert, dimmed words are too pale. */}
            <Text span inherit display="block" fz={13}>
              Last seen <InstantText at={at} />, {mailed === null ? 'no mail was sent' : 'mailed to administrators'}
            </Text>
          </Box>
        );
      })}
    </section>
  );
}

type Process = SystemState['processes'][number];

const roles: Record<Process['role'], string> = { web: 'Web', worker: 'Worker', all: 'Web and worker' };
const states: Record<Process['state'], string> = { running: 'Running', stopped: 'Stopped', gone: 'Gone' };

const tones = { running: 'good', stopped: undefined, gone: 'bad' } as const;

/** Each process, with its last sign of life. */
const Processes = ({ processes, do_outbound_rules_differ: differ }: SystemState) => (
  <RecordSection title="Processes">
    {differ && (
      <Text px="var(--gutter)" pb={14} c="var(--status-bad)">
        Running processes have different settings of EGRESS_ALLOW or SANDBOX, so that it depends on chance what a
        message may reach: {groupsText(processes)}. Set the same for all, and start them again.
      </Text>
    )}
    <Table rows={processes} columns={processColumns} className={classes.table} />
  </RecordSection>
);

/** Which processes have the same settings: `elm 17 and elm 18; oak 3`. */
function groupsText(processes: readonly Process[]): string {
  const running = processes.filter(({ state, outbound }) => state === 'running' && outbound !== null);
  const groups = Map.groupBy(running, ({ outbound }) => outbound);
  return [...groups.values()].map((of) => of.map(({ host, pid }) => `${host} ${pid}`).join(' and ')).join('; ');
}

const processColumns: readonly Column<Process>[] = [
  {
    title: 'Process',
    cell: (process) => (
      <>
        <span className={classes.name}>{roles[process.role]}</span>
        <span className={classes.note}>
          {process.host}, process {process.pid}, version {process.version}, since{' '}
          <InstantText at={process.started_at} />
        </span>
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ state }) => (
      <span data-tone={tones[state]} className={classes.state}>
        {states[state]}
      </span>
    ),
  },
  { title: 'CPU', isNumber: true, narrow: 'labelled', cell: ({ cpu }) => `${cpu.toFixed(2)} cores` },
  { title: 'Memory', isNumber: true, narrow: 'labelled', cell: ({ memory_bytes: bytes }) => bytesText(bytes) },
  {
    title: 'Event loop delay',
    isNumber: true,
    narrow: 'labelled',
    cell: ({ event_loop_delay_ms: ms }) => `${Math.round(ms).toLocaleString('en')} ms`,
  },
  {
    title: 'Last sign of life',
    narrow: 'labelled',
    cell: ({ seen_at: at }) => <InstantText at={at} show="second" />,
  },
];
