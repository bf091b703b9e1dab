import type { LeftOut } from '#contract/calendar-sources.ts';
import classes from './calendar-sources.module.css';

/** Events without a message, by the reason. */
export function LeftOutList({ of }: { of: readonly LeftOut[] }) {
  const count = of.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return null;
  return (
    <details className={classes.leftOut}>
      <summary>
        {count.toLocaleString('en')} {count === 1 ? 'event is' : 'events are'} left out
      </summary>
      <ul>
        {of.map(({ reason, count: some, titles }) => (
          <li key={reason}>
            {reason}: {some.toLocaleString('en')}
            {titles.length > 0 && ` (${titles.join(', ')}${some > titles.length ? ', …' : ''})`}
          </li>
        ))}
      </ul>
    </details>
  );
}
