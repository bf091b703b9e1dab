import { type CalendarPreview, calendarSourceLimits } from '#contract/calendar-sources.ts';
import classes from './calendar-sources.module.css';
import { LeftOutList } from './LeftOutList.tsx';

/** The next messages of a calendar that is not saved yet, in its time zone. */
export function PreviewList({ preview, timezone }: { preview: CalendarPreview; timezone: string }) {
  const { messages, count, left_out: leftOut } = preview;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' });
  return (
    <section className={classes.preview} aria-label="Preview">
      <p role="status">
        {count === 0
          ? `No message within the next ${calendarSourceLimits.days} days.`
          : `${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'} within the next ${calendarSourceLimits.days} days${count > messages.length ? `, the first ${messages.length}:` : ':'}`}
      </p>
      {messages.length > 0 && (
        <ol>
          {messages.map(({ at, title, start }) => (
            <li key={`${at} ${title} ${start}`}>
              <span className={classes.name}>{title}</span>
              <span className={classes.note}>
                Sent on {format.format(new Date(at))}, for {start}
              </span>
            </li>
          ))}
        </ol>
      )}
      <LeftOutList of={leftOut} />
    </section>
  );
}
