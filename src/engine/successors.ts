import { maxAttempts } from '#domain/retry.ts';
import { insertSuccessors } from '#engine/claim.sql.ts';
import { plainColumn } from '#engine/columns.ts';
import type { PreparedJob } from '#engine/prepare.ts';

/** The statement that plans the next occurrences of these jobs; null when there are none. */
export function successorStatement(prepared: readonly PreparedJob[]) {
  const found = prepared.flatMap(({ job, successor }) =>
    successor === null || job.metadata === null
      ? []
      : [{ job, at: successor.toString(), channels: job.metadata.channels }],
  );
  if (found.length === 0) return null;
  return {
    ...insertSuccessors,
    values: [
      plainColumn(found, ({ job }) => job.workspace_id),
      plainColumn(found, ({ job }) => job.reminder_id),
      found.map(({ job }) => job.name),
      plainColumn(found, ({ at }) => at),
      plainColumn(found, ({ channels }) => Math.max(...channels.map(maxAttempts))),
      plainColumn(found, ({ job }) => job.reminder_revision),
    ],
  };
}
