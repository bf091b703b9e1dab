import type { JobExecution } from '#contract/executions.ts';
import { JsonText } from '#web/ui/JsonText.tsx';
import classes from './ExecutionLogs.module.css';
import prose from '#web/ui/prose.module.css';
import { logLines } from './log-lines.ts';

/** The logs of an execution as sentences, and as stored. */
export function ExecutionLogs({ execution: { logs } }: { execution: Pick<JobExecution, 'logs'> }) {
  const lines = logLines(logs);
  if (Object.keys(logs).length === 0) return <p className={prose.dimParagraph}>This run has no logs.</p>;
  return (
    <>
      {lines.length > 0 && (
        <ul className={classes.lines}>
          {lines.map(({ level, text }) => (
            <li key={text} data-level={level}>
              <span className={classes.level}>{level}</span>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
      <details className={classes.stored}>
        <summary>As stored</summary>
        <JsonText value={logs} label="Logs" />
      </details>
    </>
  );
}
