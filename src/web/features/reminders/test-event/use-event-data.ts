import { useState } from 'react';
import { variableKey } from '#contract/variable-name.ts';
import type { Reminder } from '#contract/reminders.ts';
import { useLastEvent } from '#web/api/events.ts';
import { eventFields } from './event-fields.ts';

/**
 * The data with which an event reminder is tested: that of the last event, or else samples, until somebody changes it. For other reminders there are
 * no fields.
 */
export function useEventData(
  reminder: Reminder,
  { text, isNaming }: { text: Pick<Reminder['content'], 'subject' | 'message'>; isNaming: boolean },
) {
  const { type } = reminder.schedule_config;
  const { data: last = null, isLoading } = useLastEvent(reminder.id, { isAsked: type === 'event-based' });
  const [now] = useState(() => new Date());
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const found =
    type === 'event-based'
      ? eventFields(
          { ...reminder, content: { ...reminder.content, ...text } },
          { now, last: last?.data ?? null, isNaming },
        )
      : { values: {}, lists: [], left: 0 };
  const values = Object.fromEntries(
    Object.entries(found.values).map(([name, value]) => [name, edits[name] ?? value] as const),
  );
  return {
    isLoading,
    last,
    values,
    left: found.left,
    change: (name: string, value: string) => setEdits((before) => ({ ...before, [name]: value })),
    data: dataOf({ last: last?.data ?? {}, values, lists: found.lists }),
  };
}

/**
 * What the event brings: a blank field is a value that it does not bring. What has no field, such as the second of a list, is as it was last. A list of
 * plain values is typed as one text with commas.
 */
export function dataOf({
  last,
  values,
  lists,
}: {
  last: Readonly<Record<string, string>>;
  values: Readonly<Record<string, string>>;
  lists: readonly string[];
}): Record<string, string> {
  const asked = new Set(Object.keys(values).map(variableKey));
  const typed = lists.filter((name) => values[name] !== undefined && values[name] !== last[name]);
  const isOld = (name: string) => asked.has(variableKey(name)) || typed.some((list) => name.startsWith(`${list}.`));
  return Object.fromEntries([
    ...Object.entries(last).filter(([name]) => !isOld(name)),
    ...Object.entries(values).filter(([, value]) => value.trim() !== ''),
    ...typed.flatMap((list) => partsOf(values[list] ?? '').map((part, at) => [`${list}.${at}`, part] as const)),
  ]);
}

const partsOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export type EventData = ReturnType<typeof useEventData>;
