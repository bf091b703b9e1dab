import { maxAttempts } from '#domain/retry.ts';
import type { PreparedJob } from '#engine/prepare.ts';
import type { NextOccurrence } from '#engine/claimed.ts';

/** The next occurrences of these jobs' reminders. */
export const nextOccurrencesOf = (prepared: readonly PreparedJob[]): NextOccurrence[] =>
  prepared.flatMap(({ job, nextOccurrence }) =>
    nextOccurrence === null || job.metadata === null || job.reminder_id === null
      ? []
      : [
          {
            workspaceId: job.workspace_id,
            reminderId: job.reminder_id,
            name: job.name,
            at: nextOccurrence.toString(),
            maxAttempts: Math.max(...job.metadata.channels.map(maxAttempts)),
            revision: job.reminder_revision ?? job.revision,
          },
        ],
  );
