import { Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { Agenda, AgendaDay } from '#contract/agenda.ts';
import prose from '#web/ui/prose.module.css';
import { EntryList } from './AgendaEntries.tsx';
import { useAgendaSearch } from './agenda-search.ts';
import { dayText, nearDayText, occurrencesText } from './agenda-words.ts';
import classes from './agenda.module.css';

/** The days that have anything, each with its first occurrences. */
export const AgendaDays = ({ agenda: { data, from } }: { agenda: Agenda }) => (
  <>
    {data.map((day) => (
      <Day key={day.day} of={day} today={from} />
    ))}
  </>
);

function Day({ of: { day, occurrences, entries }, today }: { of: AgendaDay; today: string }) {
  const { change } = useAgendaSearch();
  const near = nearDayText(day, today);
  const more = occurrences - entries.length;
  return (
    <section className={classes.card} aria-labelledby={`day-${day}`}>
      <div className={classes.head}>
        <Title order={2} size="h3" id={`day-${day}`}>
          {near !== null && `${near} · `}
          <time dateTime={day}>{dayText(day)}</time>
        </Title>
        <span className={prose.small}>{occurrencesText(occurrences)}</span>
      </div>
      <EntryList entries={entries} label={dayText(day)} />
      {more > 0 && entries.length > 0 && (
        <button type="button" className={classes.more} onClick={() => change({ day }, { replace: false })}>
          and {more.toLocaleString('en')} more
          <IconChevronRight size={14} aria-hidden data-chrome />
        </button>
      )}
    </section>
  );
}
