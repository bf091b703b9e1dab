import type { PausedDeliveries } from '#contract/delivery-pause.ts';
import { counted, shortInstant, whyPaused } from '#terminal.ts';

/** Lists what would be sent, and how to resume deliveries. */
export function pausedJobsText(paused: PausedDeliveries): string {
  const width = Math.max(...paused.workspaces.map((workspace) => workspace.name.length), 0) + 2;
  const workspaces = paused.workspaces.map(
    ({ name, due, later }) =>
      `  ${name.padEnd(width)}${String(due).padStart(8)} due${String(later).padStart(10)} later`,
  );
  const first = paused.first.map(
    ({ scheduled_for: at, name, workspace, recipients, refusal }) =>
      `  ${shortInstant(at)}  ${name} (${workspace}): ${refusal === null ? `to ${counted(recipients, 'recipient')}` : `not sent: ${refusal}`}`,
  );
  return [
    `Deliveries are paused since ${shortInstant(paused.since)}: ${whyPaused(paused)}.`,
    `Due by now: ${counted(paused.due, 'occurrence')}. Planned for later: ${paused.later}.`,
    ...(workspaces.length > 0 ? ['', ...workspaces] : []),
    ...(first.length > 0 ? ['', 'First to be sent:', ...first] : []),
    '',
    'npm start -- resume                      sends what is due; missed occurrences follow the rule of each reminder',
    'npm start -- resume --overdue missed     records what is due as missed, and continues with later occurrences',
  ].join('\n');
}

export function backedUpText(
  made: { tables: number; rows: number; bytes: number },
  { file, keySource, took }: { file: string; keySource: string; took: Temporal.Duration },
): string {
  const seconds = took.total('seconds').toFixed(1);
  return [
    `Backed up ${made.rows.toLocaleString('en')} rows of ${counted(made.tables, 'table')} to ${file} (${megabytes(made.bytes)} MB, ${seconds} s), and read it back.`,
    `Keep the encryption key as well, in another place: ${keySource}. Without it the secrets of channels and hooks cannot be opened.`,
  ].join('\n');
}

export function restoredText(
  restored: { madeAt: string; tables: number; rows: number; isResealed: boolean },
  { file }: { file: string },
): string {
  return [
    `Restored ${restored.rows.toLocaleString('en')} rows of ${counted(restored.tables, 'table')} from ${file}, as of ${shortInstant(restored.madeAt)}.`,
    'Everybody has to sign in again. API keys and memberships are those of the backup: any that were revoked since are valid again.',
    ...(restored.isResealed
      ? []
      : ['Its secrets are sealed with an older key. To seal them with the newest one, run: npm run rotate-key']),
    'Deliveries are paused, because what is due may have been sent since. To see them, start Cuebird and run: npm start -- pause',
  ].join('\n');
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
