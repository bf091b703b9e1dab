import { isAddressed } from '#contract/channel-types.ts';
import { contactKey } from '#domain/fallback-chains.ts';
import { exclusionOf, reasonOfExclusion } from '#domain/exclusions.ts';
import { isFirstClaim } from '#engine/run/claimed-job.ts';
import type { PreparedJob } from '#engine/run/prepared-job.ts';
import { type Found, exclusionKey, type WorkspaceFacts } from '#engine/store.ts';

/**
 * Leaves out the people for whom these runs are skipped or reminders paused, over every channel. Tests, messages of the API and those written by hand
 * to one person are no reminders. Runs no query where nobody is excluded.
 */
export async function leaveOutExcluded(
  prepared: readonly PreparedJob[],
  { found, workspaces, nowMs }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts>; nowMs: number },
): Promise<void> {
  const asked = prepared
    .filter(({ job }) => workspaces.get(job.workspace_id)?.has_exclusions === true && isReminder(job))
    .flatMap(({ job, dispatch, scheduledForMs }) => {
      if ('refusal' in dispatch) return [];
      const at = {
        dueMs: job.due_at === null ? scheduledForMs : Date.parse(job.due_at),
        nowMs,
        timezone: dispatch.work.timezone,
        isFirst: isFirstClaim(job),
      };
      return dispatch.targets.flatMap((target) => {
        const { channel, recipient, contact_id: contactId = null } = target;
        const key = isAddressed(channel) ? contactKey(recipient) : null;
        if (contactId === null && key === null) return [];
        return [{ target, at, workspaceId: job.workspace_id, jobId: job.id, contactId, key: key ?? '' }];
      });
    });
  if (asked.length === 0) return;
  const exclusions = await found.exclusions(asked.map(({ target: _, at: __, ...who }) => who));
  for (const { target, at, ...who } of asked) {
    const stored = exclusions.get(exclusionKey(who));
    const exclusion = stored === undefined ? null : exclusionOf(stored, at);
    if (exclusion !== null) target.problem = reasonOfExclusion(exclusion);
  }
}

const isReminder = ({ type, metadata }: PreparedJob['job']) =>
  (type === 'reminder' || type === 'event_reminder') && metadata?.one_off !== true;
