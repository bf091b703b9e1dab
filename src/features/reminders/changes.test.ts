import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReminderChange } from '#contract/reminder-history.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('the changes of a reminder', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const schedule_config = { ...sampleReminder.schedule_config, startDate: '2099-01-01T09:00:00' };
  const written = { ...sampleReminder, status: 'active', schedule_config };
  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const write = async (): Promise<string> => (await call('POST', '/api/reminders', written)).json.id;
  const edit = (id: string, changes: object) => call('PUT', `/api/reminders/${id}`, { ...written, ...changes });
  const changes = async (id: string): Promise<ReminderChange[]> =>
    (await call('GET', `/api/reminders/${id}/changes`)).json.data;

  it('say who edited it and which fields; an edit that changes nothing is not one', async () => {
    const id = await write();
    expect(await changes(id)).toEqual([]);
    await edit(id, {});
    expect(await changes(id)).toEqual([]);
    await edit(id, {
      name: 'Rent of March',
      content: { ...written.content, message: 'Hello', recipients: ['a@example.com'] },
    });
    await edit(id, {
      schedule_config: { ...schedule_config, scheduleType: 'weekly' },
      metadata: { channels: ['sms'] },
    });
    const [later, earlier] = await changes(id);
    expect(earlier).toMatchObject({
      actor: { kind: 'person', name: 'Dana' },
      action: 'reminder.edited',
      fields: 'title, message, recipients',
    });
    expect(later).toMatchObject({ fields: 'title, schedule, message, recipients, channels' });
  });

  it('tell pauses with their end, resuming, deletion and restoring', async () => {
    const id = await write();
    const until = '2098-06-01T07:00:00.000Z';
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    expect((await call('PATCH', `/api/reminders/${id}`, { status: 'paused', until })).status).toBe(422);
    await call('PATCH', `/api/reminders/${id}`, { status: 'paused', until: soon });
    await call('PATCH', `/api/reminders/${id}`, { status: 'active' });
    await call('DELETE', `/api/reminders/${id}`);
    await call('POST', '/api/reminders/restore', { ids: [id] });
    const listed = (await changes(id)).map(({ action, until: end }) => [action, end && new Date(end).toISOString()]);
    expect(listed).toEqual([
      ['reminder.restored', null],
      ['reminder.deleted', null],
      ['reminder.resumed', null],
      ['reminder.paused', soon],
    ]);
  });

  it('are the latest fifty', async () => {
    const id = await write();
    for (let n = 0; n < 52; n += 1) await edit(id, { description: `Draft ${n}` });
    expect(await changes(id)).toHaveLength(50);
  });

  it('are those of this reminder, in its own workspace', async () => {
    const [id, other] = [await write(), await write()];
    await edit(other, { name: 'Other' });
    expect(await changes(id)).toEqual([]);
    const elsewhere = await dana.createWorkspace('Oak Lane');
    expect((await dana.call('GET', `/api/reminders/${other}/changes`, { workspace: elsewhere })).status).toBe(404);
  });
});
