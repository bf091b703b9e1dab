import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleTemplate } from '#testing/samples.ts';

describe('a wait for a job', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let key: { id: string; key: string };
  let job: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    key = await make('/api/api-keys', { name: 'CRM', scopes: ['read'] });
    const { id: template } = await make('/api/templates', sampleTemplate);
    const scheduled = {
      name: 'Rent of June',
      template_id: template,
      schedule: { type: 'scheduled', scheduleType: 'once', startDate: '2098-06-01T09:00:00Z' },
      recipients: ['tess@example.com'],
      variables: { amount: '950' },
    };
    ({ job_id: job } = await make('/api/jobs', scheduled));
  });
  afterAll(() => cuebird.stop());

  const make = async (path: string, body: object) => (await dana.call('POST', path, { workspace, body })).json;
  const read = (path: string) =>
    dana.call('GET', path, { headers: { cookie: '', authorization: `Bearer ${key.key}` } });

  it('ends when the job is cancelled, and when its time is over', async () => {
    expect((await read(`/api/jobs/${job}?wait=1`)).json).toMatchObject({ status: 'pending', outcomes: [] });
    const waiting = read(`/api/jobs/${job}?wait=60`);
    await dana.call('POST', `/api/jobs/${job}/cancel`, { workspace });
    expect((await waiting).json.status).toBe('cancelled');
  });

  it('is for jobs of the own workspace, and of bounded length', async () => {
    const elsewhere = await dana.createWorkspace('Oak Street');
    expect((await dana.call('GET', `/api/jobs/${job}?wait=1`, { workspace: elsewhere })).status).toBe(404);
    expect((await read(`/api/jobs/${job}?wait=61`)).json.error.fields[0].path).toBe('wait');
  });

  it('is answered 401 as soon as access ends', async () => {
    const waiting = read(`/api/jobs/${job}?wait=60`);
    await dana.call('DELETE', `/api/api-keys/${key.id}`, { workspace });
    expect((await waiting).status).toBe(401);
  });
});
