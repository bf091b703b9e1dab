import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('an Idempotency-Key of a program', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const make = (headers: Record<string, string> = {}) =>
    dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['read', 'manage'] },
      headers,
    });
  const keyOf = async (): Promise<string> => (await make()).json.key;

  const write = (key: string, name = 'Rent') =>
    dana.call('POST', '/api/reminders', {
      body: { ...sampleReminder, name },
      headers: { cookie: '', authorization: `Bearer ${key}`, 'idempotency-key': 'once' },
    });

  it('repeats the first answer to a key', async () => {
    const key = await keyOf();
    const [first, again] = [await write(key), await write(key)];
    expect(first.status).toBe(201);
    expect(again.json).toEqual(first.json);
    expect((await write(key, 'Another')).status).toBe(422);
  });

  it('is separate for each API key and person', async () => {
    const [one, other] = [await keyOf(), await keyOf()];
    const ofPerson = await dana.call('POST', '/api/reminders', {
      workspace,
      body: sampleReminder,
      headers: { 'idempotency-key': 'once' },
    });
    const ids = [(await write(one)).json.id, (await write(other)).json.id, ofPerson.json.id];
    expect(new Set(ids).size).toBe(3);
  });

  it('returns the created API key again, which is stored encrypted', async () => {
    const headers = { 'idempotency-key': 'my first key' };
    const [first, again] = [await make(headers), await make(headers)];
    expect(again.json).toEqual(first.json);
    expect((await write(again.json.key)).status).toBe(201);
    const { rows } = await cuebird.owner.query(
      "select answer from idempotency_keys where workspace_id = $1 and answer like 'v1.%'",
      [workspace],
    );
    expect(rows).toHaveLength(1);
  });
});
