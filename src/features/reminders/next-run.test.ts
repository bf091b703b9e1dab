import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

type Row = { id: string; status: string; scheduled_for: string };

describe('the next run of a reminder', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const call = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await dana.call(method, path, { workspace, body });
    expect(status).toBeLessThan(300);
    return json;
  };
  const daily = (startDate: string) => ({
    ...sampleReminder,
    status: 'active',
    schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC', startDate },
  });
  const waiting = async (id: string): Promise<Row[]> =>
    (await call('GET', `/api/jobs?reminder_id=${id}&limit=200`)).data.filter(({ status }: Row) => status === 'pending');

  /** Cancels the next occurrence this many times. */
  async function callOff(id: string, times: number) {
    for (let time = 0; time < times; time += 1) {
      const [job] = await waiting(id);
      await call('POST', `/api/jobs/${job?.id}/cancel`);
    }
  }
  const shown = async (id: string): Promise<(string | null)[]> => {
    const { data } = await call('GET', '/api/reminders?sort=next_run&limit=200');
    return [
      (await call('GET', `/api/reminders/${id}`)).next_run_at,
      data.find((reminder: Row) => reminder.id === id).next_run_at,
    ];
  };
  const both = (at: string | null) => [at, at];

  it('is shown when more than five later occurrences are cancelled', async () => {
    const { id } = await call('POST', '/api/reminders', daily('2098-05-01T09:00:00'));
    await callOff(id, 8);
    await call('PUT', `/api/reminders/${id}`, daily('2098-04-01T09:00:00'));
    expect(await shown(id)).toEqual(both('2098-04-01T09:00:00.000Z'));
  });

  it('is shown when more than five earlier occurrences are cancelled', async () => {
    const { id } = await call('POST', '/api/reminders', daily('2098-05-01T09:00:00'));
    await callOff(id, 8);
    expect(await shown(id)).toEqual(both('2098-05-09T09:00:00.000Z'));
  });

  it('is empty while its occurrence is paused, and shown after it is resumed', async () => {
    const { id } = await call('POST', '/api/reminders', daily('2098-05-01T09:00:00'));
    await callOff(id, 6);
    const [job] = await waiting(id);
    await call('POST', `/api/jobs/${job?.id}/pause`);
    expect(await shown(id)).toEqual(both(null));
    await call('POST', `/api/jobs/${job?.id}/resume`);
    expect(await shown(id)).toEqual(both('2098-05-07T09:00:00.000Z'));
  });

  it('is empty while the reminder is paused or deleted, and shown after it is resumed or restored', async () => {
    const { id } = await call('POST', '/api/reminders', daily('2098-05-01T09:00:00'));
    await callOff(id, 6);
    await call('PATCH', `/api/reminders/${id}`, { status: 'paused' });
    expect(await shown(id)).toEqual(both(null));
    await call('PATCH', `/api/reminders/${id}`, { status: 'active' });
    expect(await shown(id)).toEqual(both('2098-05-07T09:00:00.000Z'));
    await call('DELETE', `/api/reminders/${id}`);
    await call('POST', '/api/reminders/restore', { ids: [id] });
    expect(await shown(id)).toEqual(both('2098-05-07T09:00:00.000Z'));
  });

  it('is the time of the occurrence, even outside of the sending hours', async () => {
    const hours = {
      enabled: true,
      days: [1, 2, 3, 4, 5, 6, 7],
      from: '12:00',
      to: '18:00',
      zone: 'workspace',
      timezone: 'UTC',
      channels: ['email', 'webhook'],
    };
    await call('PATCH', `/api/workspaces/${workspace}`, { settings: { sendingHours: hours } });
    const { id } = await call('POST', '/api/reminders', daily('2098-05-01T09:00:00'));
    await callOff(id, 6);
    expect(await shown(id)).toEqual(both('2098-05-07T09:00:00.000Z'));
    const opensAt = async () => (await call('GET', '/api/reminders?view=summary')).data[0].opens_at;
    expect(await opensAt()).toBe('2098-05-07T12:00:00Z');
    const other = { ...hours, channels: ['sms'] };
    await call('PATCH', `/api/workspaces/${workspace}`, { settings: { sendingHours: other } });
    expect(await opensAt()).toBe(null);
  });
});
