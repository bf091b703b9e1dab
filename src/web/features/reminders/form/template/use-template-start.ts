import { useEffect, useRef, useState } from 'react';
import { useFetchTemplate } from '#web/api/templates.ts';
import { useLoadTopics } from '#web/api/topics.ts';
import type { useReminderForm } from '#web/features/reminders/form/form-context.ts';
import { useFormSearch } from '#web/features/reminders/form/form-search.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { type Beginning, isWritten, withTemplate } from './with-template.ts';

type Options = {
  /** Whether a draft of an earlier visit is in the form; until then a link is not followed. */
  isRestored: boolean;
  /** Whether the reminder exists: its schedule stays. */
  isEdited: boolean;
  onBegun: () => void;
};

/** Starts from a template that is picked, or named by a link. Asks before it overwrites a message. */
export function useTemplateStart(form: ReturnType<typeof useReminderForm>, { isRestored, isEdited, onBegun }: Options) {
  const { template: linked, pick, change } = useFormSearch();
  const loadTopics = useLoadTopics();
  const fetchTemplate = useFetchTemplate();
  const [asked, setAsked] = useState<Beginning | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  const begin = async (template: Beginning) => {
    const topics = await loadTopics();
    const isScheduleChosen = isEdited || form.isDirty('schedule_config');
    const topic = topics.find(({ id, archived_at: at }) => id === template.content.topic_id && at === null)?.id;
    form.setValues(withTemplate(form.getValues(), template, { isScheduleChosen, topic }));
    form.clearErrors();
    setIsAsking(false);
    onBegun();
  };
  const use = (template: Beginning) => {
    if (!isWritten(form.getValues())) return void begin(template);
    setAsked(template);
    setIsAsking(true);
  };
  const followed = useRef<string>(undefined);
  useEffect(() => {
    if (!isRestored || linked === followed.current) return;
    followed.current = linked;
    if (linked === undefined) return;
    change({ template: undefined });
    fetchTemplate(linked).then(use, (error: unknown) => notifyFailure('Error loading templates', error));
  });

  return {
    isPicking: pick !== undefined,
    open: () => change({ pick: 'own' }),
    close: () => change({ pick: undefined, search: undefined, category: undefined }),
    use,
    asked,
    isAsking,
    begin,
    stopAsking: () => setIsAsking(false),
  };
}
