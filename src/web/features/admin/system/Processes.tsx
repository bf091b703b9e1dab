import type { SystemState } from '#contract/admin-system.ts';
import classes from '#web/features/admin/figures.module.css';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { bytesText } from './units.ts';

type Process = SystemState['processes'][number];

const roles: Record<Process['role'], string> = { web: 'Web', worker: 'Worker', all: 'Web and worker' };
const states: Record<Process['state'], string> = { running: 'Running', stopped: 'Stopped', gone: 'Gone' };

/** Each process, with its last sign of life. */
export const Processes = ({ processes }: { processes: readonly Process[] }) => (
  <RecordSection title="Processes">
    <table className={classes.table}>
      <thead>
        <tr>
          <th>Process</th>
          <th>State</th>
          <th className={classes.number}>CPU</th>
          <th className={classes.number}>Memory</th>
          <th className={classes.number}>Event loop delay</th>
          <th>Last sign of life</th>
        </tr>
      </thead>
      <tbody>
        {processes.map((process) => (
          <tr key={process.id}>
            <td className={classes.main}>
              <span className={classes.name}>{roles[process.role]}</span>
              <span className={classes.note}>
                {process.host}, process {process.pid}, version {process.version}, since{' '}
                <InstantText at={process.started_at} />
              </span>
            </td>
            <td data-state={process.state} className={classes.state}>
              {states[process.state]}
            </td>
            <td className={classes.number} data-label="CPU">
              {process.cpu.toFixed(2)} cores
            </td>
            <td className={classes.number} data-label="Memory">
              {bytesText(process.memory_bytes)}
            </td>
            <td className={classes.number} data-label="Event loop delay">
              {Math.round(process.event_loop_delay_ms).toLocaleString('en')} ms
            </td>
            <td data-label="Last sign of life" className={classes.last}>
              <InstantText at={process.seen_at} show="second" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </RecordSection>
);
