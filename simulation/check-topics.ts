import { bansIn, coverageKey, recipientOf } from '#simulation/bans.ts';
import { actsIn, type Evidence, eventsOf } from '#simulation/evidence.ts';
import { topicsOf } from '#simulation/topics.ts';

/**
 * A message that nobody can leave is skipped for an entry of everything alone, and whoever has left one topic is skipped for no other. What became
 * optional counts as that from then on.
 */
export function checkTopics(evidence: Evidence): string[] {
  const { events, rows, scenario } = evidence;
  const isFixed = requiredThroughout(evidence);
  const { recipients } = bansIn(events);
  const topics = topicsOfJobs(evidence);
  const workspaceOf = new Map(rows.jobs.map(({ id, workspace_id: workspaceId }) => [id, workspaceId]));
  return rows.deliveries.flatMap(
    ({ job_id: jobId, channel, recipient, status, reason_code: code, completed_at: at }) => {
      const workspaceId = workspaceOf.get(jobId);
      const of = topics.get(jobId);
      if (status !== 'skipped' || workspaceId === undefined || of === undefined || scenario.workspaces.length === 0)
        return [];
      const line = `${jobId} ${channel} ${recipient}`;
      const key = recipientOf({ workspaceId, channel, recipient });
      const hasEver = (covers: string, topicId: string | null) => recipients.has(coverageKey(key, { covers, topicId }));
      if (code === 'suppressed' && !hasEver('everything', null))
        return [`${line} was skipped, and nothing had covered everything`];
      if (code !== 'left_topics' && code !== 'left_topic' && code !== 'paused_by_recipient') return [];
      if ([...of].every((id) => id !== null && isFixed.has(id)))
        return [`${line} was skipped for a topic that nobody can leave`];
      const pauses = recipients.get(coverageKey(key, { covers: 'pause', topicId: null })) ?? [];
      if (
        code === 'paused_by_recipient' &&
        !pauses.some(({ ends }) => ends !== undefined && Date.parse(at ?? '') < ends.untilMs)
      )
        return [`${line} was skipped for a pause that had ended`];
      if (code === 'left_topic' && ![...of].some((id) => hasEver('topic', id)))
        return [`${line} was skipped, and its recipient had left another topic`];
      return [];
    },
  );
}

/** The required topics that no act made optional. */
export function requiredThroughout({ events, scenario }: Evidence): ReadonlySet<string> {
  const made = new Set(actsIn(events).flatMap(({ act }) => (act.kind === 'topic' ? [act.topicId] : [])));
  return new Set(
    scenario.workspaces.flatMap(({ id }) =>
      topicsOf(id).flatMap((topic) => (topic.kind === 'required' && !made.has(topic.id) ? [topic.id] : [])),
    ),
  );
}

/** The topics with which each job was claimed: an edit may have changed it. */
function topicsOfJobs({ events }: Evidence): ReadonlyMap<string, ReadonlySet<string | null>> {
  const found = new Map<string, Set<string | null>>();
  for (const { claim } of eventsOf(events, 'claim'))
    for (const { run } of claim.started) {
      const known = found.get(run.job.id) ?? new Set();
      found.set(run.job.id, known.add(run.work.topicId));
    }
  return found;
}
