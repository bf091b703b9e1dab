import { isoOf } from '#domain/instants.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import type { PreparedJob } from '#engine/run/prepared-job.ts';
import type { NextOccurrence } from '#engine/run/claim-decision.ts';

/** The next occurrences of these jobs' reminders. */
export const nextOccurrencesOf = (prepared: readonly PreparedJob[]): NextOccurrence[] =>
  prepared.flatMap(({ job, nextOccurrenceMs }) =>
    nextOccurrenceMs === null || job.metadata === null || job.reminder_id === null
      ? []
      : [
          {
            workspaceId: job.workspace_id,
            reminderId: job.reminder_id,
            name: job.name,
            at: isoOf(nextOccurrenceMs),
            maxAttempts: maxAttemptsOf(job.metadata.channels),
            revision: job.reminder_revision ?? job.revision,
          },
        ],
  );
