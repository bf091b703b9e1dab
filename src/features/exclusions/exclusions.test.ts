import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reach } from '#contract/reach.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('who does not get a reminder for a while', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let anna: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    anna = await made('/api/contacts', { name: 'Anna', email: 'anna@example.com', timezone: 'Europe/Berlin' });
    await made('/api/contacts', { name: 'Ben', email: 'ben@example.com' });
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const get = async (path: string) => (await call('GET', path)).json;
  async function made(path: string, body: object): Promise<string> {
    const { status, json } = await call('POST', path, body);
    expect([status, json.error]).toEqual([201, undefined]);
    return json.id;
  }
  /** Daily at nine, from 1 January 2030 on. */
  const remind = (changes: object = {}) =>
    made('/api/reminders', {
      ...sampleReminder,
      status: 'active',
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'daily',
        startDate: '2030-01-01T09:00:00',
        timezone: 'UTC',
      },
      content: { subject: 'Rent', message: 'Hello', recipients: [] },
      metadata: { channels: ['email'], priority: 'medium', audience: { everyone: true } },
      ...changes,
    });
  const jobOf = async (id: string): Promise<string> => {
    const { rows } = await cuebird.owner.query<{ id: string }>('select id from jobs where reminder_id = $1', [id]);
    return rows[0]?.id ?? '';
  };
  const upcoming = async () => (await get(`/api/contacts/${anna}/upcoming`)).data;
  const counts = ({ counts: all }: Reach) => Object.fromEntries(all.map(({ kind, people }) => [kind, people]));
  const acts = async () =>
    (await get('/api/audit-log')).data
      .map(({ action, details }: { action: string; details: object }) => [action, details])
      .filter(([action]: [string]) => /paused?|skip/.test(action));

  it('is skipped in the next run alone: it says so, and when they get the reminder again', async () => {
    const reminder = await remind();
    const [next] = await upcoming();
    const job = await jobOf(reminder);
    expect(next).toMatchObject({ job_id: job, exclusion: null, resumes_at: null, channels: ['email'], problem: null });
    for (let again = 0; again < 2; again += 1)
      expect((await call('PUT', `/api/jobs/${job}/skips/${anna}`)).status).toBe(200);
    expect((await upcoming())[0]).toMatchObject({
      exclusion: 'skipped',
      channels: [],
      problem: 'This run was skipped for this person',
      next_run_at: '2030-01-01T09:00:00.000Z',
      resumes_at: '2030-01-02T09:00:00.000Z',
    });
    for (const path of [`/api/jobs/${job}/reach`, `/api/reminders/${reminder}/reach`])
      expect(counts(await get(path))).toEqual({ reached: 1, skipped: 1 });
    const { data } = await get(`/api/jobs/${job}/reach?kind=skipped`);
    expect(data).toMatchObject([
      {
        contact_id: anna,
        is_reached: false,
        facts: [{ kind: 'skipped', of: null }],
        targets: [{ recipient: 'anna@example.com', problem: 'This run was skipped for this person' }],
      },
    ]);
    for (let again = 0; again < 2; again += 1)
      expect((await call('DELETE', `/api/jobs/${job}/skips/${anna}`)).status).toBe(200);
    expect((await upcoming())[0]).toMatchObject({ exclusion: null, channels: ['email'] });
    expect(counts(await get(`/api/jobs/${job}/reach`))).toEqual({ reached: 2 });
    // Newest first, and each once.
    expect(await acts()).toEqual([
      ['contacts.skip_ended', { name: 'Anna', job: 'Rent', at: '2030-01-01 09:00 UTC' }],
      ['contacts.skipped', { name: 'Anna', job: 'Rent', at: '2030-01-01 09:00 UTC' }],
    ]);
  });

  it('is paused until a day, and gets what comes from then on', async () => {
    const reminder = await remind();
    const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const soon = dayAhead(40);
    const later = await made('/api/reminders', {
      ...sampleReminder,
      name: 'Tomorrow',
      status: 'active',
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'daily',
        startDate: `${dayAhead(1)}T23:30:00`,
        timezone: 'UTC',
      },
      metadata: { channels: ['email'], priority: 'medium', audience: { everyone: true } },
    });
    const { status, json } = await call('PUT', `/api/contacts/${anna}/pause`, { until: soon });
    expect([status, json.paused_until]).toEqual([200, soon]);
    const [tomorrow, inTime] = await upcoming();
    expect(tomorrow).toMatchObject({ id: later, exclusion: 'paused', channels: [] });
    expect(tomorrow.problem).toMatch(/^Reminders to this person were paused until \d+ [A-Z][a-z]{2} \d{4}$/);
    // The day begins at 22 or 23 o'clock UTC of the day before in Berlin.
    expect(tomorrow.resumes_at.slice(0, 13)).toBe(`${dayAhead(39)}T23`);
    expect(inTime).toMatchObject({ id: reminder, exclusion: null, channels: ['email'] });
    // The other contact, and the address in the list.
    expect(counts(await get(`/api/reminders/${later}/reach`))).toEqual({ reached: 2, paused: 1 });
    expect(counts(await get(`/api/reminders/${reminder}/reach`))).toEqual({ reached: 2 });
    const draft = (metadata: object) => ({
      content: { subject: 'Rent', message: 'Hello', recipients: ['ANNA@example.com'] },
      metadata: { channels: ['email'], ...metadata },
    });
    const asked = async (metadata: object) =>
      counts((await call('POST', '/api/reminders/reach', draft(metadata))).json);
    expect(await asked({})).toEqual({ reached: 0, paused: 1 });
    expect(await asked({ one_off: true })).toEqual({ reached: 1 });
    await call('DELETE', `/api/contacts/${anna}/pause`);
    expect((await upcoming())[0]).toMatchObject({ id: later, exclusion: null, channels: ['email'] });
    expect((await acts()).map(([action]: [string]) => action)).toEqual(['contacts.pause_ended', 'contacts.paused']);
  });

  it('is not paused until a day that has begun, is none, or is far away', async () => {
    const pause = (until: unknown) => call('PUT', `/api/contacts/${anna}/pause`, { until });
    for (const [until, message] of [
      ['2020-01-01', 'must be a day that lies ahead'],
      ['2090-01-01', 'must be within 5 years'],
      ['2027-02-30', 'must be a day such as 2026-12-01'],
      [null, expect.any(String)],
    ]) {
      const { status, json } = await pause(until);
      expect([status, json.error.fields]).toEqual([400, [{ path: 'until', message }]]);
    }
    expect((await get(`/api/contacts/${anna}`)).paused_until).toBeNull();
  });

  it('keeps the pause when the contact is written by hand, by a program or by a file, and when it comes back after a deletion', async () => {
    const until = '2030-05-01';
    await call('PUT', `/api/contacts/${anna}`, { name: 'Anna', email: 'anna@example.com', paused_until: until });
    await call('PUT', `/api/contacts/${anna}`, { name: 'Anna Smith', email: 'anna@example.com' });
    await call('POST', '/api/contacts/batch', { contacts: [{ name: 'Anna Jones', email: 'anna@example.com' }] });
    await call('POST', '/api/contacts/import', {
      mode: 'import',
      csv: 'Name,Email\nAnna Brown,anna@example.com',
    });
    const { id: _, groups: __, suppressions: ___, ...contact } = await get(`/api/contacts/${anna}`);
    expect(contact).toMatchObject({ name: 'Anna Brown', paused_until: until });
    await call('DELETE', `/api/contacts/${anna}`);
    const { name, email, paused_until } = contact;
    await call('POST', '/api/contacts/batch', { contacts: [{ name, email, paused_until }] });
    expect((await get('/api/contacts?search=brown')).data).toMatchObject([{ name, paused_until: until }]);
    const file = await dana.call('GET', `/api/contacts/export?workspace=${workspace}`);
    expect(String(file.json)).toContain('No reminders before');
  });

  it('is skipped in a run that has not begun only, and of a reminder only', async () => {
    const job = await jobOf(await remind());
    await cuebird.owner.query("update jobs set status = 'cancelled', completed_at = now() where id = $1", [job]);
    for (const method of ['PUT', 'DELETE']) {
      const { status, json } = await call(method, `/api/jobs/${job}/skips/${anna}`);
      expect([status, json.error.code]).toEqual([409, 'conflict']);
    }
    const test = await jobOf(await remind());
    await cuebird.owner.query("update jobs set type = 'test_reminder' where id = $1", [test]);
    expect((await call('PUT', `/api/jobs/${test}/skips/${anna}`)).status).toBe(409);
  });

  it('is somebody of this workspace, and so is the run', async () => {
    const job = await jobOf(await remind());
    const neighbour = await dana.createWorkspace('Next door');
    const ben = (
      await dana.call('POST', '/api/contacts', { workspace: neighbour, body: { name: 'B', email: 'b@example.com' } })
    ).json.id;
    expect((await call('PUT', `/api/jobs/${job}/skips/${ben}`)).status).toBe(404);
    for (const path of [`/api/jobs/${job}/skips/${ben}`, `/api/jobs/${job}/skips/${anna}`])
      expect((await dana.call('PUT', path, { workspace: neighbour })).status).toBe(404);
    const body = { until: '2030-01-01' };
    expect((await dana.call('PUT', `/api/contacts/${anna}/pause`, { workspace: neighbour, body })).status).toBe(404);
    expect((await dana.call('DELETE', `/api/contacts/${anna}/pause`, { workspace: neighbour })).status).toBe(404);
  });

  it('is still skipped after the reminder was deleted and restored', async () => {
    const reminder = await remind();
    await call('PUT', `/api/jobs/${await jobOf(reminder)}/skips/${anna}`);
    await call('DELETE', `/api/reminders/${reminder}`);
    expect((await call('POST', '/api/reminders/restore', { ids: [reminder] })).status).toBe(200);
    expect((await upcoming())[0]).toMatchObject({ exclusion: 'skipped' });
  });

  it('leaves nothing behind when they are deleted', async () => {
    const job = await jobOf(await remind());
    await call('PUT', `/api/jobs/${job}/skips/${anna}`);
    await call('DELETE', `/api/contacts/${anna}`);
    const { rows } = await cuebird.owner.query('select from job_skips where contact_id = $1', [anna]);
    expect(rows).toEqual([]);
    expect(counts(await get(`/api/jobs/${job}/reach`))).toEqual({ reached: 1 });
  });

  it('is neither reached nor missed in the analytics', async () => {
    const reminder = await remind();
    await cuebird.owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, reason, reason_code, completed_at)
       select workspace_id, id, now() - interval '1 minute', 'email', u.recipient, u.status, u.code, u.code, now()
         from jobs, unnest(array['anna@example.com', 'ben@example.com', 'carl@example.com', 'dan@example.com'],
                           array['skipped', 'accepted', 'skipped', 'skipped'],
                           array['person_skipped', null, 'person_paused', 'suppressed']) as u (recipient, status, code)
        where reminder_id = $1`,
      [reminder],
    );
    await cuebird.owner.query(
      'update jobs set scheduled_for = d.scheduled_for from deliveries d where d.job_id = jobs.id and jobs.reminder_id = $1',
      [reminder],
    );
    expect((await get('/api/analytics')).people).toEqual({ reached: 1, missed: 1 });
  });
});
