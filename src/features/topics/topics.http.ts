import type { topicRoutes } from '#contract/topics.ts';
import * as topics from '#features/topics/topics.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const topicHandlers: HandlersOf<typeof topicRoutes> = {
  listTopics: async ({ ctx }) => ({ data: await topics.listTopics(ctx) }),
  createTopic: ({ ctx, body }) => topics.createTopic(ctx, body),
  updateTopic: ({ ctx, params, body }) => topics.updateTopic(ctx, { id: params.id, changes: body }),
};
