import type { Coverage } from '#contract/suppressions.ts';
import type { TopicRow } from '#simulation/tables.ts';

/** The topics of a workspace: two that people can leave, and one that they cannot until it is made optional. */
export const topicsOf = (workspaceId: string): TopicRow[] =>
  (['optional', 'optional', 'required'] as const).map((kind, at) => ({
    id: `${workspaceId.slice(0, 24)}ee0${at}${workspaceId.slice(28)}`,
    workspace_id: workspaceId,
    kind,
  }));

/** A topic of the workspace or none, and what an entry covers. Derived, not drawn: a seed keeps its other values. */
export const someTopic = (workspaceId: string, { from }: { from: string }): string | undefined =>
  topicsOf(workspaceId)[hashOf(from) % 4]?.id;

type Covered = { covers: Coverage; topicId: string | null; seconds: number | null };

export function everyCoverage(workspaceId: string): Covered[] {
  const [events = null, news = null] = topicsOf(workspaceId).map(({ id }) => id);
  return [
    { covers: 'everything', topicId: null, seconds: null },
    { covers: 'topic', topicId: events, seconds: null },
    { covers: 'optional', topicId: null, seconds: null },
    { covers: 'topic', topicId: news, seconds: null },
    { covers: 'optional', topicId: null, seconds: 90 },
  ];
}

export function someCoverage(workspaceId: string, { from }: { from: string }): Covered {
  const all = everyCoverage(workspaceId);
  const hash = hashOf(from);
  // A pause, now and then: a seed keeps most of its other values.
  return all[hash % 9 === 8 ? 4 : hash % 4] ?? { covers: 'everything', topicId: null, seconds: null };
}

const hashOf = (text: string): number => {
  let hash = 7;
  for (let at = 0; at < text.length; at += 1) hash = (hash * 31 + text.charCodeAt(at)) % 1_000_003;
  return hash;
};
