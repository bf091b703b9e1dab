import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTenant } from '#platform/database.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

describe('workspaces', () => {
  let cuebird: TestCuebird;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
  });
  afterAll(() => cuebird.stop());

  it('makes its creator the owner, and its slug from the name and a timestamp', async () => {
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

  it('refuses a blank name with the name of the field', async () => {
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
    expect((await update({ name: ' Oak ' })).json).toEqual({ ...before, name: 'Oak', company_name: 'Oak' });
    expect((await update({ description: '' })).json).toEqual({
      ...before,
      name: 'Oak',
      company_name: 'Oak',
      description: '',
    });
  });

  it('keeps settings that an update omits, and audits who changed the others', async () => {
    const dana = await cuebird.signUp('Dana');
    const workspace = await dana.createWorkspace('Elm');
    const set = (settings: object) =>
      dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { settings } });
    expect((await set({ autoArchiveJobs: true })).json).toMatchObject({
      name: 'Elm',
      settings: { autoArchiveJobs: true },
    });
    expect((await set({ retentionDays: 90, allowPublicTemplates: false })).json.settings).toEqual({
      autoArchiveJobs: true,
      retentionDays: 90,
      allowPublicTemplates: false,
    });
    expect((await set({ retentionDays: null })).json.settings).toMatchObject({
      autoArchiveJobs: true,
      retentionDays: null,
    });
    const acts = await inTenant(cuebird.database.app, { workspaceId: workspace, userId: dana.userId }, (db) =>
      db.selectFrom('audit_log').select(['action', 'actor_id', 'details']).orderBy('id').execute(),
    );
    const changes = acts.filter(({ action }) => action === 'workspace.settings_changed');
    expect(changes[0]).toMatchObject({ actor_id: dana.userId });
    expect(changes.map(({ details: { setting, from, to } }) => ({ setting, from, to }))).toEqual([
      { setting: 'Auto Archive Jobs', from: 'not set', to: 'on' },
      { setting: 'Allow Public Templates', from: 'not set', to: 'off' },
      { setting: 'days until jobs are deleted', from: 'not set', to: '90' },
      { setting: 'days until jobs are deleted', from: '90', to: 'not set' },
    ]);
  });

  it('keeps what two admins change at the same moment, and logs no change where there is none', async () => {
    const dana = await cuebird.signUp('Dana');
    const workspace = await dana.createWorkspace('Elm');
    const set = (body: object) => dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body });
    await Promise.all([
      set({ settings: { misfire: 'skip' } }),
      set({ settings: { companyName: ' Elm & Sons ' } }),
      set({ name: 'Elm Street', description: 'Rents' }),
      set({ settings: { unknownOutcomes: 'prefer_miss' } }),
    ]);
    await set({ name: 'Elm Street', settings: { misfire: 'skip' } });
    const { json } = await dana.call('GET', `/api/workspaces/${workspace}`, { workspace });
    expect(json).toMatchObject({ name: 'Elm Street', description: 'Rents', company_name: 'Elm & Sons' });
    expect(json.settings).toEqual({ misfire: 'skip', companyName: ' Elm & Sons ', unknownOutcomes: 'prefer_miss' });
    const acts = await inTenant(cuebird.database.app, { workspaceId: workspace, userId: dana.userId }, (db) =>
      db.selectFrom('audit_log').where('action', '<>', 'workspace.created').select(['action', 'details']).execute(),
    );
    expect(
      acts.map(({ action, details: { setting } }) => String(setting ?? action)).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual([
      'company name',
      'missed occurrences',
      'unknown outcomes',
      'workspace.details_changed',
      'workspace.renamed',
    ]);
    expect(acts.find(({ action }) => action === 'workspace.renamed')?.details).toEqual({
      from: 'Elm',
      to: 'Elm Street',
    });
  });

  it('has a colour and a postal line for its mails, of which neither can be markup', async () => {
    const dana = await cuebird.signUp('Dana');
    const workspace = await dana.createWorkspace('Elm');
    const set = (settings: object) =>
      dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { settings } });
    const mails = { mailColor: '#2563EB', postalLine: '12 Elm Street' };
    expect((await set(mails)).json.settings).toEqual(mails);
    expect((await set({ mailColor: '', postalLine: '' })).status).toBe(200);
    for (const mailColor of ['red', '#2563e', '#2563eb;x', 'url(https://a.example)'])
      expect((await set({ mailColor })).json.error.fields).toEqual([
        { path: 'settings.mailColor', message: 'must be a colour such as #2563eb' },
      ]);
    for (const postalLine of ['a\nb', 'x'.repeat(201)])
      expect((await set({ postalLine })).json.error.fields).toMatchObject([{ path: 'settings.postalLine' }]);
  });

  it('calls itself to recipients by the company’s name, and by its own where that is blank', async () => {
    const dana = await cuebird.signUp('Dana');
    const workspace = await dana.createWorkspace('Elm');
    const named = async (companyName: string) => {
      const body = { settings: { companyName } };
      return (await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body })).json.company_name;
    };
    expect([await named('Elm & Sons Ltd'), await named('   ')]).toEqual(['Elm & Sons Ltd', 'Elm']);
    expect((await dana.call('GET', '/api/workspaces')).json.data[0]).toMatchObject({ company_name: 'Elm' });
  });

  it.each([
    { retentionDays: 29 },
    { retentionDays: 90.5 },
    { retentionDays: 'long' },
    { autoArchiveJobs: 'yes' },
    { unknownOutcomes: 'prefer_luck' },
    { misfire: 'never' },
    { companyName: 'x'.repeat(101) },
    { companyName: 'Elm\r\nBcc: nora@example.com' },
    { companyName: 'Elm \u202emoc.knab' },
    { other: 1 },
  ])('refuses the settings %j', async (settings) => {
    const dana = await cuebird.signUp('Dana');
    const workspace = await dana.createWorkspace('Elm');
    const refused = await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { settings } });
    expect(refused.status).toBe(400);
    expect((await dana.call('GET', '/api/workspaces')).json.data[0].settings).toEqual({});
  });

  it('lets only owners and admins change the setting for unknown outcomes', async () => {
    const [dana, erin, finn] = await Promise.all(['Dana', 'Erin', 'Finn'].map((name) => cuebird.signUp(name)));
    const workspace = await dana!.createWorkspace('Elm');
    const { owner } = cuebird;
    await addMember(owner, { workspace, userId: erin!.userId, role: 'admin' });
    await addMember(owner, { workspace, userId: finn!.userId, role: 'member' });
    const prefer = async (person: TestPerson, unknownOutcomes: string) => {
      const body = { settings: { unknownOutcomes } };
      const { status, json } = await person.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body });
      return { status, settings: json.settings };
    };
    expect(await prefer(dana!, 'prefer_miss')).toEqual({ status: 200, settings: { unknownOutcomes: 'prefer_miss' } });
    expect(await prefer(erin!, 'prefer_duplicate')).toEqual({
      status: 200,
      settings: { unknownOutcomes: 'prefer_duplicate' },
    });
    expect((await prefer(finn!, 'prefer_miss')).status).toBe(403);
  });

  it('is hidden from others', async () => {
    const [dana, erin] = [await cuebird.signUp('Dana'), await cuebird.signUp('Erin')];
    const workspace = await dana.createWorkspace('Quiet');
    expect((await erin.call('GET', '/api/workspaces')).json.data).toEqual([]);
    const stranger = await erin.call('GET', `/api/workspaces/${workspace}/members`, { workspace });
    expect(stranger.status).toBe(404);
  });
});
