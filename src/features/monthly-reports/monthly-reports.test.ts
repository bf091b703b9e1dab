import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder, sampleRule } from '#testing/samples.ts';

describe('who gets monthly reports', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    owner = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const call = (method: string, path: string, body?: object) => dana.call(method, path, { workspace, body });
  const add = (body: object) => call('POST', '/api/monthly-reports', body);
  const listed = async () => (await call('GET', '/api/monthly-reports')).json.data;

  it('is set up, listed, changed and deleted, for the workspace, a reminder or a group', async () => {
    const { json: reminder } = await call('POST', '/api/reminders', { ...sampleReminder, name: 'Rent' });
    const { json: group } = await call('POST', '/api/contact-groups', { name: 'Tenants', rule: sampleRule });
    const { status, json } = await add({ address: 'Boss@Example.com' });
    expect([status, json]).toMatchObject([
      201,
      { address: 'boss@example.com', about: null, obstacle: null, created_by: 'Dana' },
    ]);
    await add({ address: 'boss@example.com', reminder_id: reminder.id });
    await add({ address: 'boss@example.com', group_id: group.id });
    expect((await listed()).map(({ about }: { about: string | null }) => about)).toEqual([null, 'Rent', 'Tenants']);
    const changed = await call('PATCH', `/api/monthly-reports/${json.id}`, { address: 'chief@example.com' });
    expect(changed.json).toMatchObject({ id: json.id, address: 'chief@example.com' });
    expect((await call('DELETE', `/api/monthly-reports/${json.id}`)).status).toBe(200);
    expect((await listed()).map(({ about }: { about: string | null }) => about)).toEqual(['Rent', 'Tenants']);
    expect((await call('DELETE', `/api/monthly-reports/${json.id}`)).status).toBe(404);
  });

  it('has an address once for each report, in any spelling', async () => {
    const { json } = await add({ address: 'boss@example.com' });
    await add({ address: 'chief@example.com' });
    expect(await add({ address: 'BOSS@example.com' })).toMatchObject({
      status: 409,
      json: { error: { message: 'boss@example.com gets this report already' } },
    });
    const taken = await call('PATCH', `/api/monthly-reports/${json.id}`, { address: 'chief@example.com' });
    expect(taken.status).toBe(409);
    expect(await listed()).toHaveLength(2);
  });

  it('has at most fifty of a workspace', async () => {
    await owner.query(
      `insert into monthly_reports (workspace_id, address, address_key, created_by, created_at, reported_month)
       select $1, n || '@example.com', n || '@example.com', $2, now(), '2026-01-01' from generate_series(1, 50) n`,
      [workspace, dana.userId],
    );
    expect((await add({ address: 'boss@example.com' })).status).toBe(409);
  });

  it('is for owners and admins, and about things of the workspace', async () => {
    const eve = await cuebird.signUp('Eve');
    await addMember(owner, { workspace, userId: eve.userId, role: 'member' });
    const { status } = await eve.call('GET', '/api/monthly-reports', { workspace });
    expect(status).toBe(403);
    const other = await dana.createWorkspace('Oak Lane');
    const { json: foreign } = await dana.call('POST', '/api/reminders', { workspace: other, body: sampleReminder });
    expect(await add({ address: 'a@example.com', reminder_id: foreign.id })).toMatchObject({
      status: 422,
      json: { error: { fields: [{ path: 'reminder_id' }] } },
    });
    const both = { reminder_id: crypto.randomUUID(), group_id: crypto.randomUUID() };
    expect((await add({ address: 'a@example.com', ...both })).status).toBe(400);
  });

  it('says why nothing is sent', async () => {
    await add({ address: 'boss@example.com' });
    await call('POST', '/api/suppressions', { channel: 'email', recipient: 'boss@example.com' });
    expect(await listed()).toMatchObject([{ obstacle: 'suppressed' }]);
  });

  it('says that whoever set it up is suspended, or is no owner or admin any more', async () => {
    const eve = await cuebird.signUp('Eve');
    await addMember(owner, { workspace, userId: eve.userId, role: 'admin' });
    await eve.call('POST', '/api/monthly-reports', { workspace, body: { address: 'boss@example.com' } });
    const suspend = (value: string) =>
      owner.query(`update profiles set suspended_at = ${value} where id = $1`, [eve.userId]);
    expect(await listed()).toMatchObject([{ created_by: 'Eve', obstacle: null }]);
    await suspend('now()');
    expect(await listed()).toMatchObject([{ obstacle: 'creator_may_not' }]);
    await suspend('null');
    expect(await listed()).toMatchObject([{ obstacle: null }]);
    await owner.query("update workspace_members set role = 'member' where workspace_id = $1 and user_id = $2", [
      workspace,
      eve.userId,
    ]);
    expect(await listed()).toMatchObject([{ obstacle: 'creator_may_not' }]);
  });

  it('says that the mail server did not take it, in its words, until the address is corrected', async () => {
    const { json } = await add({ address: 'typo@example.com' });
    expect(json).toMatchObject({ obstacle: null, refusal: null });
    await owner.query(
      `update monthly_reports set refused_at = '2026-03-01T08:00:00Z', refusal = 'declined', refusal_words = '550 no such user',
              next_attempt_at = '2099-03-01T09:00:00Z' where id = $1`,
      [json.id],
    );
    expect(await listed()).toMatchObject([
      {
        obstacle: 'declined',
        refusal: { at: '2026-03-01T08:00:00.000Z', words: '550 no such user', again_at: '2099-03-01T09:00:00.000Z' },
      },
    ]);
    const { json: changed } = await call('PATCH', `/api/monthly-reports/${json.id}`, { address: 'boss@example.com' });
    expect(changed).toMatchObject({ obstacle: null, refusal: null });
    const { rows } = await owner.query(
      "select next_attempt_at < now() + interval '16 minutes' as is_soon from monthly_reports where id = $1",
      [json.id],
    );
    expect(rows).toEqual([{ is_soon: true }]);
  });

  it('begins with the report of the month in which it is set up', async () => {
    const { json } = await add({ address: 'boss@example.com' });
    const { rows } = await owner.query('select reported_month::text from monthly_reports where id = $1', [json.id]);
    const setUpOn = Temporal.Instant.from(json.created_at).toZonedDateTimeISO('UTC').toPlainDate();
    const lastMonth = setUpOn.with({ day: 1 }).subtract({ months: 1 });
    expect(rows).toEqual([{ reported_month: lastMonth.toString() }]);
  });

  it('is ended by the link in the mail, which stops nothing else, and ends no report to another address', async () => {
    const { json } = await add({ address: 'boss@example.com' });
    const token = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY)).seal({
      stops: 'monthly_report',
      workspaceId: workspace,
      recipient: 'boss@example.com',
      id: json.id,
    });
    const page = async () => (await fetch(`${cuebird.url}/unsubscribe/${token}`)).text();
    const press = (leave: string) =>
      fetch(`${cuebird.url}/unsubscribe/${token}`, { method: 'POST', body: new URLSearchParams({ leave }) });
    const isSent = '</strong> sends a monthly report to <strong>boss@example.com</strong>.';
    const isEnded = '</strong> sends this monthly report no more to <strong>boss@example.com</strong>.';
    expect(await page()).toContain(isSent);
    await call('PATCH', `/api/monthly-reports/${json.id}`, { address: 'chief@example.com' });
    await press('all');
    expect(await listed(), 'the link is that of the earlier address').toHaveLength(1);
    await call('PATCH', `/api/monthly-reports/${json.id}`, { address: 'boss@example.com' });
    await press(json.id);
    expect(await page()).toContain(isSent);
    await press('all');
    expect(await page()).toContain(isEnded);
    expect(await page()).not.toContain('<button');
    expect((await fetch(`${cuebird.url}/api/unsubscribe/${token}`, { method: 'POST' })).status).toBe(200);
    expect(await listed()).toEqual([]);
    const { json: log } = await call('GET', '/api/audit-log?kind=monthly_report');
    const stopped = log.data.filter(({ action }: { action: string }) => action === 'monthly_report.stopped');
    expect(stopped).toMatchObject([
      { actor: { kind: 'stranger' }, text: 'Ended the monthly report to boss@example.com by the link in its mail' },
    ]);
    const { rows } = await owner.query('select from suppressions where workspace_id = $1', [workspace]);
    expect(rows).toEqual([]);
  });
});
