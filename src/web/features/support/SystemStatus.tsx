import { Card, Skeleton, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { type HealthDay, historyDays, type Status, uptimeGoal } from '#contract/status.ts';
import { useStatus } from '#web/api/status.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { componentNames, dayText, headlineOf, stateOfDay, troubleText, uptimeOf } from './status-words.ts';
import classes from './support.module.css';

/** What works at the moment, and how it was on each of the last 90 days. */
export function SystemStatus() {
  const found = useStatus();
  return (
    <Card component="section" aria-label="System status">
      {found.data !== undefined && found.error === null ? (
        <Shown status={found.data} />
      ) : found.error === null ? (
        <div role="status" aria-busy aria-label="Loading the status">
          <Skeleton height={24} width="60%" />
          <Skeleton height={96} mt={20} />
        </div>
      ) : (
        <ErrorState
          title="The status could not be loaded"
          error={found.error}
          onRetry={() => void found.refetch()}
          isRetrying={found.isFetching}
        />
      )}
    </Card>
  );
}

const icons = { operational: IconCheck, degraded: IconAlertTriangle, down: IconX };

function Shown({ status }: { status: Status }) {
  const states = status.components.map(({ state }) => state);
  const worst = states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'operational';
  const Icon = icons[worst];
  return (
    <>
      <div className={classes.headline} data-state={worst} role="status">
        <Icon size={24} aria-hidden />
        <Title order={2} size="h3">
          {headlineOf(status)}
        </Title>
      </div>
      <ul className={classes.components}>
        {status.components.map(({ component, state, trouble, days }) => (
          <li key={component}>
            <div className={classes.component}>
              <strong>{componentNames[component]}</strong>
              <span className={classes.state} data-state={state}>
                {troubleText(trouble)}
              </span>
            </div>
            <History name={componentNames[component]} days={days} today={status.checked_at.slice(0, 10)} />
          </li>
        ))}
      </ul>
      <p className={classes.quiet}>
        Each bar is one of the last {historyDays} days (UTC). A minute in which nothing answered counts as down. The
        goal is {uptimeGoal}% uptime.
      </p>
    </>
  );
}

type HistoryProps = { name: string; days: readonly HealthDay[]; today: string };

function History({ name, days, today }: HistoryProps) {
  const known = new Map(days.map((day) => [day.day, day]));
  const end = Date.parse(`${today}T00:00:00Z`);
  const uptime = uptimeOf(days);
  const measured = `${days.length} ${days.length === 1 ? 'day' : 'days'}`;
  return (
    <>
      <div
        className={classes.history}
        role="img"
        aria-label={uptime === null ? `${name}: not measured yet` : `${name}: ${uptime} uptime in ${measured}`}
      >
        {Array.from({ length: historyDays }, (_, index) => {
          const date = new Date(end - (historyDays - 1 - index) * 86_400_000).toISOString().slice(0, 10);
          const day = known.get(date);
          return <span key={date} data-state={stateOfDay(day)} title={dayText(date, day)} />;
        })}
      </div>
      <div className={classes.scale} aria-hidden>
        <span>{historyDays} days ago</span>
        <span>{uptime === null ? 'Not measured yet' : `${uptime} uptime in ${measured}`}</span>
        <span>Today</span>
      </div>
    </>
  );
}
