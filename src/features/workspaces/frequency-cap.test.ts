import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

describe('the frequency cap of a workspace', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const cap = { perDay: 2, perWeek: null, timezone: 'Europe/Berlin' };
  const set = (frequencyCap: object, as = dana) =>
    as.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { settings: { frequencyCap } } });

  it('is stored, and audited in one sentence', async () => {
    expect((await set({ ...cap, timezone: 'europe/berlin' })).json.settings.frequencyCap).toEqual(cap);
    const { rows } = await cuebird.owner.query<{ details: object }>(
      "select details from audit_log where workspace_id = $1 and action = 'workspace.settings_changed' order by id desc limit 1",
      [workspace],
    );
    expect(rows[0]?.details).toEqual({
      setting: 'frequency cap',
      from: 'not set',
      to: 'One address or number gets at most 2 messages a day that people can leave, by days in Europe/Berlin.',
    });
  });

  it.each([
    [{ perDay: 0 }, 'perDay', 'must be at least 1'],
    [{ perDay: 101 }, 'perDay', 'must be at most 100'],
    [{ perWeek: 1.5 }, 'perWeek', 'must be a whole number'],
    [{ timezone: 'Nowhere/Land' }, 'timezone', 'is not a known timezone, for example Europe/Berlin'],
  ])('is refused with %j', async (change, field, message) => {
    const refused = await set({ ...cap, ...change });
    expect(refused.status).toBe(400);
    expect(refused.json.error.fields).toEqual([{ path: `settings.frequencyCap.${field}`, message }]);
  });

  it('is set by admins alone', async () => {
    const finn = await cuebird.signUp('Finn');
    await addMember(cuebird.owner, { workspace, userId: finn.userId, role: 'member' });
    expect((await set(cap, finn)).status).toBe(403);
  });
});
