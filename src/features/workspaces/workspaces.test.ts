import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';

describe('workspaces', () => {
  let cuebird: TestCuebird;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
  });
  afterAll(() => cuebird.stop());

  it('makes its creator the owner and its slug of the name and a timestamp', async () => {
    const dana = await cuebird.signUp('Dana');
    const created = await dana.call('POST', '/api/workspaces', {
      body: { name: '  Elm & Harbour — Süd ', description: '' },
    });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({ name: 'Elm & Harbour — Süd', role: 'owner', subscription_tier: 'free' });
    expect(created.json.slug).toMatch(/^elm-harbour-s-d-\d{13}$/);
    const listed = await dana.call('GET', '/api/workspaces');
    expect(listed.json.data.map((workspace: { id: string }) => workspace.id)).toEqual([created.json.id]);
  });

  it('refuses a name of blanks and says which field is wrong', async () => {
    const dana = await cuebird.signUp('Dana');
    const refused = await dana.call('POST', '/api/workspaces', { body: { name: '   ' } });
    expect(refused.status).toBe(400);
    expect(refused.json.error.fields).toEqual([{ path: 'name', message: 'Workspace name is required' }]);
  });

  it('an update changes what it names and nothing else', async () => {
    const dana = await cuebird.signUp('Dana');
    const body = { name: 'Elm', description: 'Where we live' };
    const { json: before } = await dana.call('POST', '/api/workspaces', { body });
    const update = (changes: object) =>
      dana.call('PATCH', `/api/workspaces/${before.id}`, { workspace: before.id, body: changes });
    expect((await update({ name: ' Oak ' })).json).toEqual({ ...before, name: 'Oak' });
    expect((await update({ description: '' })).json).toEqual({ ...before, name: 'Oak', description: '' });
  });

  it('shows nobody else that it exists', async () => {
    const [dana, erin] = [await cuebird.signUp('Dana'), await cuebird.signUp('Erin')];
    const workspace = await dana.createWorkspace('Quiet');
    expect((await erin.call('GET', '/api/workspaces')).json.data).toEqual([]);
    const stranger = await erin.call('GET', `/api/workspaces/${workspace}/members`, { workspace });
    expect(stranger.status).toBe(404);
  });
});
