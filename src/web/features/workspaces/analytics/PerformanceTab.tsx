import type { Analytics } from '#contract/analytics.ts';
import { durationText } from '#web/ui/duration.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { PartlySentBadge } from '#web/ui/JobBadge.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import classes from './analytics.module.css';
import { Figures } from './Figures.tsx';
import record from '#web/ui/record.module.css';
import list from '#web/ui/list.module.css';
import { peopleText, rateText } from './rate-text.ts';

/** How long executions take, and the latest of them. */
export function PerformanceTab({ of: { executions, success_rate: score, people } }: { of: Analytics }) {
  const { average_ms: average, total, latest } = executions;
  return (
    <div className={record.column}>
      <Figures
        label="Performance Analytics"
        of={[
          {
            label: 'Average Execution Time',
            value: average === null ? '–' : `${Math.round(average).toLocaleString('en')} ms`,
          },
          { label: 'Total Executions', value: total },
          { label: 'Performance Score', value: rateText(score), note: peopleText(people) },
        ]}
      />
      <RecordSection title="Latest executions">
        {latest.length === 0 ? (
          <p className={list.none}>No execution data available</p>
        ) : (
          <Table rows={latest} columns={columns} className={classes.table} />
        )}
      </RecordSection>
    </div>
  );
}

const columns: readonly Column<Analytics['executions']['latest'][number]>[] = [
  { title: 'Job', cell: ({ name }) => <span className={list.name}>{name}</span> },
  { title: 'Time', cell: ({ started_at: at }) => <InstantText at={at} show="second" /> },
  { title: 'Duration', isNumber: true, cell: ({ duration_ms: ms }) => durationText(ms) },
  {
    title: 'Status',
    cell: ({ status, is_partly_sent: isPartly }) =>
      isPartly ? <PartlySentBadge /> : <StatusBadge kind="execution" status={status} />,
  },
];
