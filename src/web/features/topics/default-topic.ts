import type { Topic } from '#contract/topics.ts';
import { useTopics } from '#web/api/topics.ts';

/** The topic that is chosen: undefined until somebody has, null for none. */
export type TopicChoice = string | null | undefined;

/** The topic of a message: the one that was chosen, else the default of the workspace. */
export const topicOf = (choice: TopicChoice, topics: readonly Topic[] | undefined): string | null =>
  choice === undefined ? (topics?.find(({ is_default: isDefault }) => isDefault)?.id ?? null) : choice;

/** `topicOf` in the current workspace. */
export const useTopicOf = (choice: TopicChoice): string | null => topicOf(choice, useTopics().data);
