import type { EarlierText } from '#contract/reminder-history.ts';
import { useEarlierTexts } from '#web/api/reminders.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';

/** What the reminder said before its edits; nothing where it was never sent with another text. */
export function EarlierTexts({ id, zone }: { id: string; zone: string }) {
  const { data: texts = [] } = useEarlierTexts(id);
  if (texts.length === 0) return null;
  return (
    <RecordSection title="Earlier texts">
      <ul className={classes.list} aria-label="Earlier texts">
        {texts.map((text) => (
          <Row key={text.revision} text={text} zone={zone} />
        ))}
      </ul>
    </RecordSection>
  );
}

function Row({ text: { subject, message, last_sent_at: last }, zone }: { text: EarlierText; zone: string }) {
  return (
    <li className={classes.row}>
      <details className={classes.earlier}>
        <summary>
          <span className={classes.name}>{subject}</span>
          {last !== null && (
            <span className={classes.note}>
              {' '}
              · last sent <InstantText at={last} zone={zone} />
            </span>
          )}
        </summary>
        <p className={classes.text}>{message}</p>
      </details>
    </li>
  );
}
