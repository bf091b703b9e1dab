import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoContacts, unreachable } from '#features/demo/demo.contacts.ts';
import { demoReminders } from '#features/demo/demo.reminders.ts';
import { pastDays, pastRuns } from '#features/demo/past/past-runs.ts';

const contacts = new Map(demoContacts.map(({ email }) => [email ?? '', randomUUIDv7()]));

function pastAt(at: string, timezone: string, seed = 1) {
  const now = Temporal.Instant.from(at);
  const groups = new Map(
    ['All tenants', 'Elm Street', 'Harbour Lane', 'The team'].map((name) => [name, randomUUIDv7()]),
  );
  const topics = { notices: randomUUIDv7(), news: randomUUIDv7() };
  const webhookUrl = 'http://127.0.0.1:9/hook';
  const parts = { firstAt: now, timezone, webhookUrl, groups, templates: new Map(), topics };
  const reminders = demoReminders(parts).map((one) => ({ ...one, id: randomUUIDv7() }));
  return { now, timezone, reminders, topics, ...pastRuns({ reminders, contacts, topics, timezone, now, seed }) };
}

type Past = ReturnType<typeof pastAt>;

const localTimes = ({ jobs, timezone }: Past, name: string) =>
  jobs
    .filter((job) => job.name === name)
    .map((job) => Temporal.Instant.from(job.scheduled_for).toZonedDateTimeISO(timezone));

describe('the past of the demo', () => {
  const winter = pastAt('2026-11-25T13:20:00Z', 'America/New_York');

  it('is of the last 60 days, and over', () => {
    const times = winter.jobs.map(({ scheduled_for: at }) => Date.parse(at));
    expect(Math.min(...times)).toBeGreaterThan(winter.now.epochMilliseconds - (pastDays + 1) * 86_400_000);
    expect(Math.max(...times)).toBeLessThan(winter.now.epochMilliseconds);
    const days = new Set(winter.jobs.map(({ scheduled_for: at }) => at.slice(0, 10)));
    expect(days.size).toBeGreaterThanOrEqual(pastDays);
    // Sunday to Wednesday: the newest is of this morning.
    expect(winter.now.epochMilliseconds - Math.max(...times)).toBeLessThan(86_400_000);
  });

  it.each([
    ['Weekly inspection round', [1], '07:30'],
    ['Notice of the week', [5], '10:00'],
    ['Bins go out tonight', [2, 4], '18:00'],
    ['On-call handover', [1, 2, 3, 4, 5], '17:00'],
    ['Arrears to accounting', [1, 2, 3, 4, 5, 6, 7], '08:00'],
  ] as const)('of %s keeps its days and its hour, also across a change of the clocks', (name, days, hour) => {
    const times = localTimes(winter, name);
    expect(times.length).toBeGreaterThan(7);
    expect(new Set(times.map(({ dayOfWeek }) => dayOfWeek))).toEqual(new Set(days));
    expect(new Set(times.map((time) => time.toPlainTime().toString().slice(0, 5)))).toEqual(new Set([hour]));
    expect(new Set(times.map(({ offset }) => offset)).size).toBe(2);
  });

  it('reminds of the rent on the first of each month', () => {
    expect(localTimes(winter, 'Rent is due on the 1st').map((time) => time.toPlainDate().toString())).toEqual([
      '2026-10-01',
      '2026-11-01',
    ]);
  });

  it('has successes, retries, a bounce, an unsubscription, and failures of this week', () => {
    const count = (status: string) => winter.deliveries.filter((row) => row.status === status).length;
    expect(count('accepted') + count('delivered')).toBeGreaterThan(500);
    const retried = winter.deliveries.filter(({ status, attempts }) => status !== 'failed' && attempts === 2);
    expect(retried.length).toBeGreaterThan(5);
    const bounced = winter.deliveries.filter(({ reason }) => reason?.startsWith('Bounced') === true);
    expect(bounced.map(({ recipient }) => recipient)).toEqual([unreachable.bounced]);
    const skipped = winter.deliveries.filter(({ status }) => status === 'skipped');
    expect(new Set(skipped.map(({ recipient }) => recipient))).toEqual(
      new Set([unreachable.bounced, unreachable.unsubscribed]),
    );
    expect(winter.suppressions.map(({ reason }) => reason).sort()).toEqual(['bounced', 'unsubscribed']);
    const weekAgo = winter.now.subtract({ hours: 168 }).epochMilliseconds;
    const failed = winter.jobs.filter((job) => job.status === 'failed' && Date.parse(job.completed_at) > weekAgo);
    expect(new Set(failed.map(({ name }) => name))).toEqual(new Set(['Arrears to accounting', 'Bins go out tonight']));
    const ended = winter.jobs.filter(({ status }) => status === 'completed').length;
    expect(ended / winter.jobs.length).toBeGreaterThan(0.95);
  });

  it('gives each job the executions and the outcome that its deliveries have', () => {
    for (const job of winter.jobs) {
      const rows = winter.deliveries.filter((row) => row.job_id === job.id);
      const hasFailed = rows.some(({ status }) => status === 'failed');
      expect(job.status).toBe(hasFailed ? 'failed' : 'completed');
      const executions = winter.executions.filter((row) => row.job_id === job.id);
      expect(executions).toHaveLength(job.attempts);
      expect(executions.at(-1)?.status).toBe(job.status);
      expect(executions.every((row) => row.duration_ms > 0)).toBe(true);
      expect(Math.max(...rows.map((row) => row.attempts))).toBe(job.attempts);
    }
  });

  it('has a reason with its code for a job that reached nobody', () => {
    const { now, timezone, topics } = winter;
    const reminders = winter.reminders.map((one) => ({
      ...one,
      reached: one.reached.filter(({ email }) => email === unreachable.unsubscribed),
    }));
    const { jobs } = pastRuns({ reminders, contacts, topics, timezone, now, seed: 1 });
    const cancelled = jobs.filter(({ status }) => status === 'cancelled');
    expect(new Set(cancelled.map(({ error_message: words, reason_code: code }) => `${words}: ${code}`))).toEqual(
      new Set(['There were no recipients: empty_audience', 'The recipient has left this topic: left_topic']),
    );
    expect(jobs.filter(({ status }) => status !== 'cancelled').every(({ reason_code: code }) => code === null)).toBe(
      true,
    );
  });

  it('goes on sending the rent, which is required, to somebody who left the news', () => {
    const { deliveries, jobs } = pastAt('2026-12-05T12:00:00Z', 'Europe/Berlin');
    const toThem = (name: string) => {
      const ids = jobs.filter((job) => job.name === name).map(({ id }) => id);
      return deliveries
        .filter((row) => ids.includes(row.job_id) && row.recipient === unreachable.unsubscribed)
        .map(({ reason_code: code }) => code);
    };
    expect(toThem('Rent is due on the 1st')).toEqual([null, null]);
    expect(toThem('Notice of the week').slice(-3)).toEqual(['left_topic', 'left_topic', 'left_topic']);
  });

  it('is the same for the same seed, and another one for another', () => {
    const bare = ({ jobs, deliveries }: Past) => [
      jobs.map(({ name, scheduled_for: at, completed_at: end, status }) => [name, at, end, status]),
      deliveries.map(({ recipient, status, attempts }) => [recipient, status, attempts]),
    ];
    const again = pastAt('2026-11-25T13:20:00Z', 'America/New_York');
    expect(bare(again)).toEqual(bare(winter));
    expect(bare(pastAt('2026-11-25T13:20:00Z', 'America/New_York', 2))).not.toEqual(bare(winter));
    expect(new Set([...again.jobs, ...winter.jobs].map(({ id }) => id)).size).toBe(2 * winter.jobs.length);
  });

  it.each(['2026-03-01T00:00:30Z', '2026-12-31T23:59:59Z', '2028-02-29T12:00:00Z'])('is there at %s', (at) => {
    for (const timezone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const past = pastAt(at, timezone);
      expect(past.jobs.length).toBeGreaterThan(180);
      expect(past.jobs.some(({ status }) => status === 'failed')).toBe(true);
    }
  });
});
