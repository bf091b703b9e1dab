import { counted } from '#domain/in-words.ts';
import { durationText } from '#web/ui/duration.ts';

export type LogLine = { level: 'Info' | 'Warning' | 'Error'; text: string };

/**
 * An execution's logs as sentences. Unknown entries, such as those of another version, are shown only in the stored
 * form.
 */
export function logLines(logs: Record<string, unknown>): LogLine[] {
  const number = (name: string) => (typeof logs[name] === 'number' ? logs[name] : null);
  const lines: LogLine[] = [];
  const add = (level: LogLine['level'], text: string) => lines.push({ level, text });

  const attempt = number('attempt');
  if (attempt !== null) add('Info', `Run ${attempt} of this job`);
  const late = number('late_seconds');
  if (late !== null) add('Warning', `Started ${durationText(late * 1_000)} late`);
  const attempted = number('attempted');
  if (attempted !== null) add('Info', `${recipients(attempted)} attempted in this run`);
  for (const [name, level, words] of outcomes) {
    const count = number(name);
    if (count !== null && count > 0) add(level, `${recipients(count)} ${words}`);
  }
  return lines;
}

const recipients = (count: number) => counted(count, 'recipient');

const outcomes = [
  ['accepted', 'Info', 'accepted so far'],
  ['delivered', 'Info', 'delivered so far'],
  ['skipped', 'Warning', 'skipped so far'],
  ['unknown', 'Warning', 'with an unknown result'],
  ['failed', 'Error', 'failed so far'],
] as const;
