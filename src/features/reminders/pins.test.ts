import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('a reminder that pins its channels', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let hook: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
    hook = await createHook(workspace);
  });
  afterAll(() => cuebird.stop());

  async function createHook(where: string): Promise<string> {
    const body = { name: 'Hook', type: 'webhook', configuration: { url: 'http://127.0.0.1:2/' } };
    return (await dana.call('POST', '/api/channels', { workspace: where, body })).json.id;
  }
  const write = (metadata: object, { id }: { id?: string } = {}) =>
    dana.call(id === undefined ? 'POST' : 'PUT', `/api/reminders${id === undefined ? '' : `/${id}`}`, {
      workspace,
      body: { ...sampleReminder, metadata: { ...sampleReminder.metadata, ...metadata } },
    });

  it('stores them with its channel mode', async () => {
    const metadata = { channels: ['sms', 'webhook'], channel_mode: 'in_order', pinned_channels: { webhook: hook } };
    const created = await write(metadata);
    expect(created.status).toBe(201);
    const read = await dana.call('GET', `/api/reminders/${created.json.id}`, { workspace });
    expect(read.json.metadata).toMatchObject(metadata);
    expect((await write({}, { id: created.json.id })).json.metadata).not.toHaveProperty('pinned_channels');
  });

  it('cannot pin a channel of another type, of another workspace, or an unknown one', async () => {
    const elsewhere = await createHook(await dana.createWorkspace('Oak'));
    const { json: stored } = await write({});
    for (const pinned of [{ sms: hook }, { webhook: elsewhere }, { webhook: '019a9d3e-0000-7000-8000-000000000001' }]) {
      const [type] = Object.keys(pinned);
      for (const id of [undefined, stored.id]) {
        const refused = await write({ pinned_channels: pinned }, { id });
        expect(refused.status).toBe(400);
        expect(refused.json.error.fields).toEqual([
          { path: `metadata.pinned_channels.${type}`, message: `There is no such ${type} channel in this workspace` },
        ]);
      }
    }
  });

  it('cannot have an unknown channel type or channel mode', async () => {
    expect((await write({ pinned_channels: { pigeon: hook } })).status).toBe(400);
    expect((await write({ pinned_channels: { webhook: 'mine' } })).status).toBe(400);
    expect((await write({ channel_mode: 'at_random' })).status).toBe(400);
  });
});
