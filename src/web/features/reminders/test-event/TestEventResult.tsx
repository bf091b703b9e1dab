import { Button, Group, Stack } from '@mantine/core';
import type { TestEvent } from '#contract/events.ts';
import { isForEvent, type Reminder } from '#contract/reminders.ts';
import { TestOutcome } from '#web/features/reminders/TestOutcome.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import classes from './TestEventResult.module.css';

type TestEventResultProps = { reminder: Reminder; sent: TestEvent; onAgain: () => void };

/** What came of the test, and what a real event would do now. */
export function TestEventResult({ reminder, sent, onAgain }: TestEventResultProps) {
  const more = sent.match_count - sent.matches.length;
  return (
    <Stack gap={16}>
      {/* The button that had the focus is hidden now. */}
      <section
        ref={(section) => section?.focus()}
        tabIndex={-1}
        className={classes.result}
        aria-label="What a real event would do"
      >
        <p className={classes.sentence}>{matchText(reminder, sent)}</p>
        {sent.matches.length > 0 && (
          <ul className={classes.matches} aria-label="Reminders that it triggers">
            {sent.matches.map(({ reminder_id: id, name, scheduled_for: at }) => (
              <li key={id}>
                {id === reminder.id ? (
                  <strong>{name}</strong>
                ) : (
                  <TextLink to="/reminders/$id" params={{ id }} inherit>
                    {name}
                  </TextLink>
                )}
                <span className={classes.time}>
                  <InstantText at={at} />
                </span>
              </li>
            ))}
            {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
          </ul>
        )}
        <p className={classes.note}>{namedText(reminder, sent)}</p>
      </section>
      <TestOutcome id={sent.job_id} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onAgain}>
          Test again
        </Button>
      </Group>
    </Stack>
  );
}

function matchText({ status, schedule_config: { eventTrigger } }: Reminder, sent: TestEvent): string {
  if (eventTrigger === undefined) return 'No event triggers this reminder: it names none.';
  const { match_count: count } = sent;
  const figure = count === 0 ? 'no' : count.toLocaleString('en');
  const sentence = `A real ${eventTrigger} now would trigger ${figure} ${count === 1 || count === 0 ? 'reminder' : 'reminders'}.`;
  if (status === 'active') return sentence;
  return `${sentence} This one is ${status === 'draft' ? 'a draft' : 'paused'}, so it would not be sent.`;
}

function namedText(reminder: Reminder, { named }: TestEvent): string {
  if (!isForEvent(reminder)) return 'It would go to the recipients of each reminder.';
  return named.length === 0
    ? 'This data names nobody: a real event would go only to the reminder’s own recipients.'
    : `This data names ${named.join(' and ')}, who got nothing of the test.`;
}
