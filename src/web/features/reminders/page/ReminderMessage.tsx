import type { Reminder } from '#contract/reminders.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';

/** What the reminder says, as it is written. */
export function ReminderMessage({ reminder: { content, updated_at: changed } }: { reminder: Reminder }) {
  return (
    <RecordSection
      title="Message"
      aside={
        <span className={classes.note}>
          Changed <InstantText at={changed} />
        </span>
      }
    >
      <div className={classes.body}>
        <p className={classes.subject}>{content.subject}</p>
        {/* A long text scrolls, also by keyboard. */}
        <pre className={classes.text} tabIndex={0} aria-label="Text of the message" role="region">
          {content.message}
        </pre>
      </div>
    </RecordSection>
  );
}
