import { ActionIcon, Box, Title, VisuallyHidden } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Agenda } from '#contract/agenda.ts';
import { useAgendaSearch } from './agenda-search.ts';
import { firstDayText, longDayText, monthText, nearDayText, occurrencesText } from './agenda-words.ts';
import classes from './agenda.module.css';
import { dayAfter, inMonth, monthsBetween, weeksShown } from './month-weeks.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** How far each key moves, in days. */
const steps: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month with how much is sent on each day. Arrows move between the days, Page Up and Page Down between the months, and Enter opens a day. */
export function AgendaMonth({ agenda: { from, to, data } }: { agenda: Agenda }) {
  const { month: asked, change } = useAgendaSearch();
  const months = monthsBetween(from, to);
  const month = months.find((one) => one === asked) ?? months[0] ?? from.slice(0, 7);
  const at = months.indexOf(month);
  const counts = new Map(data.map(({ day, occurrences }) => [day, occurrences]));
  const most = Math.max(1, ...counts.values());
  const grid = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState(from);
  /** The day to which a key has led, until it is shown. */
  const awaited = useRef<string | null>(null);
  const show = (one: string | undefined) => one !== undefined && change({ month: one });
  const firstOf = (one: string) => (`${one}-01` < from ? from : `${one}-01`);
  const weeks = weeksShown(month, { from, to });
  const isShown = (day: string) => weeks.some((week) => week.includes(day));
  const current = isShown(focused) ? focused : firstOf(month);
  const focus = (day: string) => {
    const [first, last] = [from, to];
    const target = day < first ? first : day > last ? last : day;
    setFocused(target);
    awaited.current = target;
    if (isShown(target)) focusAwaited();
    else show(target.slice(0, 7));
  };
  const focusAwaited = () => {
    if (awaited.current === null) return;
    const button = grid.current?.querySelector<HTMLElement>(`[data-day="${awaited.current}"]`);
    if (button) awaited.current = null;
    button?.focus();
  };
  // Before the next key: the day that had the focus may be gone.
  useLayoutEffect(focusAwaited, [month]);
  const onKey = (event: KeyboardEvent) => {
    const target = targetOf(event.key, { current: awaited.current ?? current, months });
    if (target === null) return;
    event.preventDefault();
    focus(target);
  };
  return (
    <section className={classes.card} aria-labelledby="month">
      <div className={classes.head}>
        <Title order={2} size="h3" id="month" aria-live="polite">
          {titleOf(month, weeks)}
        </Title>
        <div className={classes.months} data-chrome>
          <MonthButton label="Previous month" isBack onShow={at > 0 ? () => show(months[at - 1]) : null} />
          <MonthButton label="Next month" onShow={at < months.length - 1 ? () => show(months[at + 1]) : null} />
        </div>
      </div>
      <table ref={grid} className={classes.month} role="grid" aria-labelledby="month" onKeyDown={onKey}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day, column) => (
                <td key={day} data-weekend={column % 6 === 0}>
                  {day < from || day > to ? (
                    <span className={classes.outside}>{numberText(day, month)}</span>
                  ) : (
                    <button
                      type="button"
                      className={classes.day}
                      data-day={day}
                      tabIndex={day === current ? 0 : -1}
                      aria-current={day === from ? 'date' : undefined}
                      onFocus={() => setFocused(day)}
                      onClick={() => change({ day }, { replace: false })}
                    >
                      <VisuallyHidden>{labelOf(day, { count: counts.get(day) ?? 0, from })}</VisuallyHidden>
                      <span className={classes.number} aria-hidden>
                        {numberText(day, month)}
                      </span>
                      <Count of={counts.get(day) ?? 0} most={most} />
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** `November – December 2026` where weeks of the next month follow. */
function titleOf(month: string, weeks: readonly string[][]): string {
  const last = weeks.at(-1)?.[0]?.slice(0, 7) ?? month;
  if (last <= month) return monthText(month);
  const isSameYear = last.slice(0, 4) === month.slice(0, 4);
  return `${isSameYear ? monthText(month).replace(/ \d+$/, '') : monthText(month)} – ${monthText(last)}`;
}

/** `28`; `1 Dec` where another month begins. */
const numberText = (day: string, month: string): string =>
  day.endsWith('-01') && !day.startsWith(month) ? firstDayText(day) : String(Number(day.slice(8)));

type MonthButtonProps = { label: string; isBack?: boolean; onShow: (() => void) | null };

const MonthButton = ({ label, isBack = false, onShow }: MonthButtonProps) => (
  <ActionIcon
    variant="default"
    size={36}
    aria-label={label}
    data-hint={label}
    disabled={onShow === null}
    onClick={() => onShow?.()}
  >
    <IconChevronRight size={16} aria-hidden data-back={isBack} />
  </ActionIcon>
);

/** The number of a day, and a bar that is as wide as the day is busy. */
const Count = ({ of, most }: { of: number; most: number }) =>
  of > 0 && (
    <>
      <span className={classes.count} aria-hidden>
        {of.toLocaleString('en')}
        <span className={classes.unit}> {of === 1 ? 'occurrence' : 'occurrences'}</span>
      </span>
      <Box component="span" className={classes.bar} style={{ '--share': of / most }} />
    </>
  );

function labelOf(day: string, { count, from }: { count: number; from: string }): string {
  const near = nearDayText(day, from);
  return `${near === null ? '' : `${near}, `}${longDayText(day)}: ${count === 0 ? 'nothing' : occurrencesText(count)}`;
}

/** The day to which a key moves from the current one; null for other keys. */
function targetOf(key: string, { current, months }: { current: string; months: readonly string[] }): string | null {
  const step = steps[key];
  if (step !== undefined) return dayAfter(current, step);
  const weekday = new Date(current).getUTCDay();
  switch (key) {
    case 'Home':
      return dayAfter(current, -weekday);
    case 'End':
      return dayAfter(current, 6 - weekday);
    case 'PageUp':
    case 'PageDown': {
      const at = months.indexOf(current.slice(0, 7));
      const month = months[key === 'PageUp' ? at - 1 : at + 1];
      return month === undefined ? null : inMonth(month, current);
    }
    default:
      return null;
  }
}
