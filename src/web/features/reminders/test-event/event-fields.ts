import { isForEvent, type Reminder } from '#contract/reminders.ts';
import { sampleValue } from '#domain/sample-values.ts';
import { valueNamed } from '#domain/variable-values.ts';
import { listsIn, pathsIn } from '#domain/template.ts';
import { needingValue } from '#web/features/reminders/form/variable-values.ts';
import { withoutNames } from '#web/features/reminders/form/variable-names.ts';

/** The most fields of the form; an event may have more. */
export const mostFields = 50;

/**
 * The data that a test of an event reminder asks for: whom the event names, where the reminder goes to them, and the variables of the text that
 * the reminder has no value for, nested ones too (`invoice.number`), and those of the first of each list (`items.0.price`). With the values of the last event, or else with samples. `lists` are those of
 * the names that are lists of plain values, `left` is how many variables have no field.
 */
export function eventFields(
  reminder: Reminder,
  {
    now,
    last = null,
    isNaming = true,
  }: { now: Date; last?: Readonly<Record<string, string>> | null; isNaming?: boolean },
): { values: Record<string, string>; lists: string[]; left: number } {
  const { content, metadata } = reminder;
  const own = Object.entries(content.values ?? {}).flatMap(([name, value]) => (value.trim() === '' ? [] : [name]));
  const naming = isNaming && isForEvent(reminder) ? addressFields(metadata.channels) : [];
  const lists = listsIn(`${content.subject}\n${content.message}`);
  const needed = needingValue({ ...content, variables: content.variables ?? [] });
  const variables = withoutNames(needed, [...own, ...naming, ...lists.ofObjects]);
  const today = now.toLocaleDateString('en-US', { dateStyle: 'long' });
  const nested = [...new Set([...pathsIn(content.subject), ...pathsIn(content.message)])];
  const names = [...naming, ...variables, ...nested];
  // What the last event lacked, the message of the next one may lack, too.
  const valueOf = (name: string) =>
    last === null ? sampleValue({ name, type: 'text' }, today) : (valueNamed(last, name) ?? '');
  return {
    values: Object.fromEntries(names.slice(0, mostFields).map((name) => [name, valueOf(name)])),
    lists: lists.plain,
    left: Math.max(0, names.length - mostFields),
  };
}

function addressFields(channels: Reminder['metadata']['channels']): string[] {
  const needsPhone = channels.includes('sms') || channels.includes('whatsapp');
  const needsEmail = channels.includes('email') || (channels.includes('webhook') && !needsPhone);
  return [...(needsEmail ? ['email'] : []), ...(needsPhone ? ['phone'] : [])];
}
