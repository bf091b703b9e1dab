import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keptAnswers } from '#http/idempotency.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { insertThings } from '#testing/sample-rows.ts';
import { sampleReminder, sampleRule, sampleTemplate } from '#testing/samples.ts';

describe('a POST with an Idempotency-Key', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  let keys = 0;
  let key: string;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    keys += 1;
    key = `key-${keys}`;
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  type Write = { as?: TestPerson; to?: string; key?: string; body?: unknown };

  const write = ({ as = dana, to = workspace, key: used = key, body = sampleReminder }: Write = {}) =>
    as.call('POST', '/api/reminders', { workspace: to, body, headers: { 'idempotency-key': used } });

  async function count(table: 'reminders' | 'jobs' | 'idempotency_keys', of = workspace): Promise<number> {
    const { rows } = await database.query(`select count(*)::int as n from ${table} where workspace_id = $1`, [of]);
    return rows[0].n;
  }

  it('sent again answers what it answered first, and makes one row', async () => {
    const first = await write();
    const again = await write();
    expect(first.status).toBe(201);
    expect({ status: again.status, json: again.json }).toEqual({ status: 201, json: first.json });
    expect(await count('reminders')).toBe(1);
  });

  it('sent again after the row has changed still answers the first answer', async () => {
    const first = await write();
    await dana.call('DELETE', `/api/reminders/${first.json.id}`, { workspace });
    expect((await write()).json).toEqual(first.json);
    // Only the deleted one.
    expect(await count('reminders')).toBe(1);
  });

  it('with another body is refused, and the first answer stays', async () => {
    const first = await write();
    const other = await write({ body: { ...sampleReminder, name: 'Another' } });
    expect(other.status).toBe(422);
    expect(other.json.error.message).toBe('This Idempotency-Key was used with another request');
    expect((await write()).json).toEqual(first.json);
    expect(await count('reminders')).toBe(1);
  });

  it('for another address is refused', async () => {
    const { json } = await write();
    const elsewhere = await dana.call('POST', `/api/reminders/${json.id}/test`, {
      workspace,
      body: { recipients: ['a@example.com'], subject: 'Hi', message: 'Hello' },
      headers: { 'idempotency-key': key },
    });
    expect(elsewhere.status).toBe(422);
    expect(await count('jobs')).toBe(0);
  });

  describe('whose answer is not kept', () => {
    const headers = () => ({ 'idempotency-key': key });
    const long = { ...sampleReminder, content: { ...sampleReminder.content, message: 'x'.repeat(17_000) } };

    it.each<[string, string, unknown]>([
      ['a preview of a template', '/api/templates/preview', { content: sampleTemplate.content, values: {} }],
      ['a forecast', '/api/reminders/forecast', { schedule_config: sampleReminder.schedule_config, count: 3 }],
      ['a count of people', '/api/audience/count', { rule: sampleRule }],
      ['a preview of an import', '/api/contacts/import', { mode: 'preview', csv: 'Email\nann@example.com' }],
    ])('because it changes nothing leaves no key: %s', async (_, path, body) => {
      const answer = await dana.call('POST', path, { workspace, body, headers: headers() });
      expect([answer.status, await count('idempotency_keys')]).toEqual([200, 0]);
    });

    it('because it is too large is told that it was carried out, once', async () => {
      const first = await write({ body: long });
      expect(first.status).toBe(201);
      const { rows } = await database.query('select status, answer from idempotency_keys where key = $1', [key]);
      expect(rows).toEqual([{ status: 201, answer: null }]);
      const again = await write({ body: long });
      expect([again.status, again.json.error.message]).toEqual([
        409,
        'The request with this Idempotency-Key was carried out, once. Its answer was too large to be kept: look at what it changed.',
      ]);
      expect(await count('reminders')).toBe(1);
    });

    it('because the workspace has kept too much in a day is told so too, and nothing is made twice', async () => {
      await write();
      const { rows } = await database.query(
        `update request_counts set used = $2 where workspace_id = $1 and bucket = 'kept_answers' returning used`,
        [workspace, keptAnswers.ofDay],
      );
      expect(rows).toHaveLength(1);
      const other = `${key}-other`;
      expect((await write({ key: other })).status).toBe(201);
      expect((await write({ key: other })).status).toBe(409);
      expect((await write()).status).toBe(201);
      expect(await count('reminders')).toBe(2);
    });

    it('because a day has had too many keys is refused, and nothing is done', async () => {
      await write();
      await database.query(
        `update request_counts set used = $2 where workspace_id = $1 and bucket = 'idempotency_keys'`,
        [workspace, keptAnswers.keysOfDay],
      );
      const refused = await write({ key: `${key}-other` });
      expect(refused.status).toBe(429);
      expect(refused.json.error.message).toContain('More than 1,000,000 requests with an Idempotency-Key in a day.');
      expect((await write()).status).toBe(201);
      expect(await count('reminders')).toBe(1);
    });
  });

  it('that only tried something out is carried out when it is meant', async () => {
    const file = { format: 'cuebird-workspace', version: 1, reminders: [{ ...sampleReminder, ref: randomUUID() }] };
    const send = (mode: string) =>
      dana.call('POST', `/api/workspaces/${workspace}/import?mode=${mode}`, {
        workspace,
        body: file,
        headers: { 'idempotency-key': key },
      });
    expect((await send('preview')).status).toBe(200);
    expect((await send('import')).status).toBe(200);
    expect(await count('reminders')).toBe(1);
    expect((await send('preview')).status).toBe(422);
  });

  it('sent ten times at once makes one row: each is the same answer or told to wait', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => write()));
    const made = answers.filter(({ status }) => status === 201);
    const conflicts = answers.filter(({ status }) => status === 409);
    expect(made.length + conflicts.length).toBe(10);
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(1);
    for (const { json } of conflicts) expect(json.error.message).toMatch(/still in flight/);
    expect(await count('reminders')).toBe(1);
    expect((await write()).json.id).toBe(made[0]?.json.id);
  });

  it('sent again while the first is still at work is told to wait', async () => {
    await database.query('begin; lock table reminders in share row exclusive mode');
    const both = [write(), write()];
    const early = await Promise.race(both);
    await database.query('rollback');
    expect(early.status).toBe(409);
    expect(early.json.error.message).toBe('A request with this Idempotency-Key is still in flight');
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
  });

  it('of a request that was refused can be used for the mended one', async () => {
    const once = { type: 'scheduled', scheduleType: 'once', startDate: '2020-01-01T09:00:00', timezone: 'UTC' };
    const late = { ...sampleReminder, status: 'active', schedule_config: once };
    expect((await write({ body: { ...sampleReminder, name: '' } })).status).toBe(400);
    expect((await write({ body: late })).status).toBe(422);
    expect(await count('idempotency_keys')).toBe(0);
    expect((await write()).status).toBe(201);
  });

  it('means nothing in another workspace, or to another person of the same one', async () => {
    const erin = await cuebird.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    const elsewhere = await dana.createWorkspace('Oak Street');
    const answers = [await write(), await write({ to: elsewhere }), await write({ as: erin })];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(3);
    expect([await count('reminders'), await count('reminders', elsewhere)]).toEqual([2, 1]);
  });

  it('works where no workspace is chosen yet', async () => {
    const create = () =>
      dana.call('POST', '/api/workspaces', { body: { name: 'Once only' }, headers: { 'idempotency-key': key } });
    const [first, again] = [await create(), await create()];
    expect(first.status).toBe(201);
    expect(again.json).toEqual(first.json);
  });

  it('repeats an action on a job without acting again', async () => {
    const { pendingJob } = await insertThings(database, { workspace, userId: dana.userId });
    const pause = (headers: Record<string, string>) =>
      dana.call('POST', `/api/jobs/${pendingJob}/pause`, { workspace, headers });
    expect((await pause({ 'idempotency-key': key })).json.status).toBe('paused');
    expect((await pause({ 'idempotency-key': key })).json.status).toBe('paused');
    expect((await pause({})).status).toBe(409);
  });

  it.each(['', 'x'.repeat(201)])('that is empty or endless is refused: "%s"', async (wrong) => {
    const refused = await write({ key: wrong });
    expect(refused.status).toBe(400);
    expect(refused.json.error.fields).toEqual([{ path: 'Idempotency-Key', message: 'must be 1 to 200 characters' }]);
  });

  it('may hold any letters that a header can', async () => {
    const strange = "'; drop table jobs; -- \u00e9\u00ff %00";
    const [first, again] = [await write({ key: strange }), await write({ key: strange })];
    expect(first.status).toBe(201);
    expect(again.json).toEqual(first.json);
  });
});
