import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type Topic, type TopicChanges, type TopicInput, topicRoutes } from '#contract/topics.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { keyOf } from '#web/api/query-key.ts';

const topicsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: keyOf(workspaceId, 'topics', 'list'),
    queryFn: async ({ signal }) => (await call(topicRoutes.listTopics, { workspaceId, signal })).data,
    meta: { watches: ['topics', 'reminders', 'suppressions'] },
  });

/** The topics of a workspace, by name, the archived ones last. */
export const useTopicsOf = (workspaceId: string) => useQuery(topicsQuery(workspaceId));

/** The topics of the current workspace. */
export const useTopics = () => useTopicsOf(useWorkspaceId());

/** Waits for the topics of the current workspace; none where they cannot be loaded. */
export function useLoadTopics(): () => Promise<Topic[]> {
  const client = useQueryClient();
  const query = topicsQuery(useWorkspaceId());
  return () => client.ensureQueryData(query).catch(() => []);
}

/** Adds a topic; resolves after the list is refetched. */
export const useCreateTopic = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'topics')], (body: z.input<typeof TopicInput>) =>
    call(topicRoutes.createTopic, { body, workspaceId }),
  );

export type TopicChange = { id: string } & z.input<typeof TopicChanges>;

/** Changes a topic; resolves after the list is refetched. */
export const useUpdateTopic = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'topics')], ({ id, ...body }: TopicChange) =>
    call(topicRoutes.updateTopic, { params: { id }, body, workspaceId }),
  );
