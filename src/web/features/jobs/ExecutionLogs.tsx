import { Box } from '@mantine/core';
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
            <li key={text} data-tone={tones[level]}>
              <span className={classes.level}>{level}</span>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
      <Box component="details" mt={8}>
        <Box component="summary" mb={8} className={prose.summary}>
          As stored
        </Box>
        <JsonText value={logs} label="Logs" />
      </Box>
    </>
  );
}

const tones = { Info: undefined, Warning: 'waiting', Error: 'bad' } as const;
