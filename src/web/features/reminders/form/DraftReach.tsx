import { useDebouncedValue } from '@mantine/hooks';
import { memo, useMemo } from 'react';
import type { ReachBody } from '#contract/reach.ts';
import { ReachLine } from '#web/features/reach/ReachLine.tsx';
import { useTopicOf } from '#web/features/topics/default-topic.ts';
import { withTopic } from './draft.ts';
import { useReminderFormContext } from './form-context.ts';
import { reachDraftOf } from './reach-draft.ts';

const typingPauseMs = 400;

/** What decides whom the form's reminder reaches, once typing has paused; null while it names nobody. */
export function useSettledReachDraft(): ReachBody | null {
  const { values } = useReminderFormContext();
  const [settled] = useDebouncedValue(values, typingPauseMs);
  const topic = useTopicOf(settled.content.topic_id);
  return useMemo(() => reachDraftOf(withTopic(settled, topic)), [settled, topic]);
}

/** Who would get the reminder as it is written; nothing while it names nobody. */
export function DraftReach({ label }: { label: string }) {
  const draft = useSettledReachDraft();
  return draft === null ? null : <Line label={label} draft={draft} />;
}

/** Memoized, because the form renders on every keystroke and its key may hold ten thousand recipients. */
const Line = memo(({ label, draft }: { label: string; draft: ReachBody }) => (
  <ReachLine label={label} of={{ draft }} />
));
