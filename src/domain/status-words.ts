import { counted } from '#domain/in-words.ts';
import type { Component, HealthDay, Status, Trouble } from '#contract/status.ts';

export const componentNames: Record<Component, string> = {
  web: 'Web app and API',
  deliveries: 'Deliveries',
  database: 'Database',
};

const sentences: Record<Trouble, string> = {
  maintenance: 'Under maintenance. Reminders are still sent.',
  no_web_server: 'No web server gives a sign of life.',
  no_worker: 'No worker gives a sign of life. What is due waits, and is sent afterwards.',
  paused: 'Paused. What is due waits until an administrator resumes deliveries.',
  late: 'Late by more than a minute.',
  read_only: 'The database accepts no changes. What is due waits, and is sent afterwards.',
  no_database: 'The database does not answer.',
};

export const troubleText = (trouble: Trouble | null): string => (trouble === null ? 'Operational' : sentences[trouble]);

type Health = Status['components'][number]['state'];

/** The worst state of all components. */
export const stateOf = ({ components }: Status): Health =>
  states.find((state) => components.some((one) => one.state === state)) ?? 'operational';

const states: readonly Health[] = ['down', 'degraded'];

const headlines: Record<Health, string> = {
  operational: 'All Systems Operational',
  degraded: 'Some systems are limited',
  down: 'Some systems are down',
};

export const headlineOf = (status: Status): string => headlines[stateOf(status)];

/** What is not operational, as one paragraph; null where everything is. */
export function troublesText({ components }: Status): string | null {
  const troubled = components.filter(({ trouble }) => trouble !== null);
  if (troubled.length === 0) return null;
  return troubled.map(({ component, trouble }) => `${componentNames[component]}: ${troubleText(trouble)}`).join(' ');
}

/** The share of the minutes that were not down, in percent; rounded down, so that an outage is never hidden. Null without a minute. */
export function uptimeOf(days: readonly HealthDay[]): string | null {
  let up = 0;
  let all = 0;
  for (const { operational, degraded, down } of days) {
    up += operational + degraded;
    all += operational + degraded + down;
  }
  return all === 0 ? null : `${(Math.floor((up / all) * 10_000) / 100).toFixed(2)} %`;
}

export type DayState = 'operational' | 'degraded' | 'down' | 'unmeasured';

export function stateOfDay(day: HealthDay | undefined): DayState {
  if (day === undefined) return 'unmeasured';
  if (day.down > 5) return 'down';
  return day.down + day.degraded > 0 ? 'degraded' : 'operational';
}

export function dayText(date: string, day: HealthDay | undefined): string {
  if (day === undefined) return `${date}: not measured`;
  const parts = [
    ...(day.down > 0 ? [`${minutes(day.down)} down`] : []),
    ...(day.degraded > 0 ? [`${minutes(day.degraded)} limited`] : []),
  ];
  return `${date}: ${parts.length === 0 ? 'operational' : parts.join(', ')}`;
}

const minutes = (count: number) => counted(count, 'minute');
