import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionBounds } from '#platform/connection-budget.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

let cuebird: TestCuebird;
let dana: TestPerson;
let workspace: string;
beforeAll(async () => {
  cuebird = await startTestCuebird({ env: { DATABASE_CONNECTIONS: String(connectionBounds.least) } });
  dana = await cuebird.signUp('Dana');
  workspace = await dana.createWorkspace('Elm Street');
});
afterAll(() => cuebird.stop());

const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });

it('a process with the fewest connections signs in, sends, and serves many requests at once, and never opens more', async () => {
  const once = { type: 'scheduled', scheduleType: 'once', timezone: 'UTC' };
  const { status, json: reminder } = await call('POST', '/api/reminders', {
    ...sampleReminder,
    status: 'active',
    schedule_config: once,
  });
  expect(status).toBe(201);
  const paths = ['/api/reminders', '/api/jobs', '/api/contacts', '/api/analytics', '/api/dashboard'];
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => call('GET', paths[n % paths.length] ?? '')));
  const { rows } = await cuebird.owner.query<{ opened: number }>(
    `select count(*)::int as opened from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 40 }, () => 200));
  expect(rows[0]?.opened).toBeLessThanOrEqual(connectionBounds.least);
  await untilFound(cuebird.databaseUrl, async () => {
    const [found] = (await call('GET', `/api/jobs?reminder_id=${reminder.id}`)).json.data;
    return found?.status === 'completed' ? found : undefined;
  });
});
