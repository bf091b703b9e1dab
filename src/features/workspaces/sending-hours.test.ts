import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTenant } from '#platform/database.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

describe('the sending hours of a workspace', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const hours = {
    enabled: true,
    days: [1, 2, 3, 4, 5],
    from: '08:00',
    to: '20:00',
    zone: 'recipient',
    timezone: 'Europe/Berlin',
    channels: ['email', 'sms'],
  };
  const set = (sendingHours: object, as = dana) =>
    as.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { settings: { sendingHours } } });

  it('are stored completely, and audited in one sentence', async () => {
    const { json } = await set({ ...hours, timezone: 'europe/berlin', days: [1, 2, 3, 4, 5, 5] });
    expect(json.settings.sendingHours).toEqual(hours);
    const [act] = await inTenant(cuebird.database.app, { workspaceId: workspace, userId: dana.userId }, (db) =>
      db.selectFrom('audit_log').select(['action', 'details']).orderBy('id', 'desc').limit(1).execute(),
    );
    expect(act).toMatchObject({
      action: 'workspace.settings_changed',
      details: {
        setting: 'sending hours',
        from: 'not set',
        to: "Mail and SMS go out Mon–Fri 08:00–20:00, in the recipient's timezone where it is known, else Europe/Berlin.",
      },
    });
  });

  it.each([
    [{ days: [] }, 'days', 'Choose at least one day'],
    [{ channels: [] }, 'channels', 'Choose at least one channel'],
    [{ to: '08:00' }, 'to', 'must differ from the opening'],
    [{ from: '8 am' }, 'from', 'must be a time of day such as 08:00'],
  ])('are refused with %j', async (change, field, message) => {
    const refused = await set({ ...hours, ...change });
    expect(refused.status).toBe(400);
    expect(refused.json.error.fields).toEqual([{ path: `settings.sendingHours.${field}`, message }]);
  });

  it('are noted in the forecast for an occurrence outside of them', async () => {
    await set({ ...hours, days: [1, 2, 3, 4, 5] });
    const forecast = async () => {
      const body = {
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'daily',
          startDate: '2099-01-01T21:00:00',
          timezone: 'Europe/Berlin',
        },
        count: 2,
      };
      return (await dana.call('POST', '/api/reminders/forecast', { workspace, body })).json;
    };
    // A Thursday and a Friday.
    expect((await forecast()).notes).toEqual([
      { at: '2099-01-01T20:00:00.000Z', note: 'Outside of sending hours: waits until Fri 08:00 Europe/Berlin' },
      { at: '2099-01-02T20:00:00.000Z', note: 'Outside of sending hours: waits until Mon 08:00 Europe/Berlin' },
    ]);
    await set({ ...hours, enabled: false });
    expect((await forecast()).notes).toEqual([]);
  });

  it('are set by owners and admins, not by members', async () => {
    const { owner } = cuebird;
    const max = await cuebird.signUp('Max');
    await addMember(owner, { workspace, userId: max.userId, role: 'member' });
    expect((await set({ ...hours, enabled: false }, max)).status).toBe(403);
    expect((await set({ ...hours, enabled: false })).json.settings.sendingHours.enabled).toBe(false);
  });
});
