import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SystemState } from '#contract/admin-system.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { createInstallation, type TestInstallation } from '#testing/process.ts';

let cuebird: TestCuebird;
let installation: TestInstallation;
beforeAll(async () => {
  cuebird = await startTestCuebird();
  installation = await createInstallation();
});
afterAll(async () => {
  await installation.remove();
  await cuebird.stop();
});

it('a worker that is killed is shown to administrators as gone within a minute, and who goes on as running', async () => {
  const ann = await cuebird.signUp('Ann');
  await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
  const worker = installation.start({ args: ['--role', 'worker'], env: { DATABASE_URL: cuebird.databaseUrl } });
  const processes = async () => {
    const { processes: known }: SystemState = (await ann.call('GET', '/api/admin/system')).json;
    return known.map(({ role, pid, state }) => ({ role, pid, state }));
  };
  const known = { role: 'worker', pid: worker.pid };
  await expect.poll(processes, { timeout: 60_000 }).toContainEqual({ ...known, state: 'running' });

  worker.signal('SIGKILL');
  expect((await worker.ended).signal).toBe('SIGKILL');
  // As if 45 seconds had passed: whoever lives gives another sign of life.
  await cuebird.owner.query("update processes set seen_at = seen_at - interval '45 seconds'");
  const states = await processes();
  expect(states).toContainEqual({ ...known, state: 'gone' });
  expect(states).toContainEqual({ role: 'all', pid: process.pid, state: 'running' });
}, 120_000);
