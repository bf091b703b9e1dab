import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { accepted, insertRunOfPeople, mostWereReached } from '#testing/run-of-people.ts';

describe('the report of a run by mail', () => {
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
    await owner.query(`delete from sandbox_messages`);
  });
  afterAll(() => cuebird.stop());

  const runOf = async (people: typeof mostWereReached, name = 'Rent of {{unit}}') =>
    insertRunOfPeople(owner, {
      workspaceId: workspace,
      reminderId: null,
      name,
      at: '2026-03-02T09:00:00Z',
      status: 'failed',
      people,
      message: 'some failed',
    });

  const mail = (job: string, body: object, as = dana) =>
    as.call('POST', `/api/jobs/${job}/report/mail`, { workspace, body });

  const arrived = async () => {
    const { rows } = await owner.query<{
      recipient: string;
      subject: string;
      text: string;
      headers: Record<string, string>;
    }>('select recipient, subject, body_text as text, headers from sandbox_messages order by recipient');
    return rows;
  };

  it('is sent to each address once, with the same figures as the job', async () => {
    const job = await runOf(mostWereReached);
    const { json } = await mail(job, { to: ['boss@example.com', 'landlord@example.com', 'Boss@example.com'] });
    expect(json).toEqual({
      data: [
        { address: 'boss@example.com', outcome: 'sent' },
        { address: 'landlord@example.com', outcome: 'sent' },
      ],
    });
    const mails = await arrived();
    expect(mails.map(({ recipient }) => recipient)).toEqual(['boss@example.com', 'landlord@example.com']);
    expect(mails[0]?.subject).toBe('Elm Street: report of Rent of …');
    for (const part of [
      'Dana sends you this report',
      'Reached: 173 of 184 people',
      '• 11 lack Street',
      `/jobs/${job}/report`,
    ])
      expect(mails[0]?.text).toContain(part);
  });

  it('tells the time in the zone of whoever sends it, by its name', async () => {
    const job = await runOf([accepted], 'Rent');
    for (const [to, timezone] of [
      ['boss@example.com', 'Europe/Berlin'],
      ['landlord@example.com', undefined],
    ])
      expect((await mail(job, { to: [to], timezone })).status).toBe(200);
    const [berlin, utc] = await arrived();
    expect(berlin?.text).toContain('Rent, 2 Mar 2026, 10:00 (Europe/Berlin)');
    expect(utc?.text).toContain('Rent, 2 Mar 2026, 09:00 (UTC)');
  });

  it('is not sent to a suppressed address, in any spelling', async () => {
    const job = await runOf([accepted]);
    const body = { channel: 'email', recipient: 'boss@example.com' };
    await dana.call('POST', '/api/suppressions', { workspace, body });
    const { json } = await mail(job, { to: ['BOSS@example.com'] });
    expect(json.data).toEqual([{ address: 'boss@example.com', outcome: 'suppressed' }]);
    expect(await arrived()).toEqual([]);
  });

  it('has a link with which who did not ask for it ends the mails of the workspace', async () => {
    const job = await runOf([accepted]);
    await mail(job, { to: ['boss@example.com'] });
    const [one] = await arrived();
    const link = /To get no more mails of Elm Street, of any kind: \S+(\/unsubscribe\/[\w-]+)/.exec(
      one?.text ?? '',
    )?.[1];
    const headers = JSON.stringify(one?.headers);
    expect(headers).toContain(`/api${link}>`);
    expect(headers).toContain('List-Unsubscribe=One-Click');
    expect((await fetch(`${cuebird.url}/api${link}`, { method: 'POST' })).status).toBe(200);
    const { json } = await mail(job, { to: ['boss@example.com'] });
    expect(json.data).toEqual([{ address: 'boss@example.com', outcome: 'suppressed' }]);
  });

  it('is sent by owners and admins only, to at most ten addresses that are some', async () => {
    const job = await runOf([accepted]);
    const eve = await cuebird.signUp('Eve');
    await addMember(owner, { workspace, userId: eve.userId, role: 'member' });
    expect((await mail(job, { to: ['eve@example.com'] }, eve)).status).toBe(403);
    const eleven = Array.from({ length: 11 }, (_, n) => `a${n}@example.com`);
    for (const to of [[], ['nobody'], ['a@example.com\r\nBcc: b@example.com'], eleven])
      expect((await mail(job, { to })).status).toBe(400);
    expect(await arrived()).toEqual([]);
  });

  it('names nothing as a link that people wrote', async () => {
    const job = await runOf([accepted], 'Pay at\r\nhttps://evil.example.com or www.evil.example.com');
    await mail(job, { to: ['boss@example.com'] });
    const [one] = await arrived();
    expect(one?.subject).toBe('Elm Street: report of Pay at https: //evil.example.com or www .evil.example.com');
    expect(one?.text).not.toContain('https://evil');
  });

  it('is recorded in the audit log, with each address that it goes to', async () => {
    const job = await runOf([accepted], 'Rent of {{unit}}');
    const blocked = { channel: 'email', recipient: 'gone@example.com' };
    await dana.call('POST', '/api/suppressions', { workspace, body: blocked });
    await mail(job, { to: ['boss@example.com', 'gone@example.com'] });
    const { rows } = await owner.query(
      "select details from audit_log where workspace_id = $1 and action = 'export.report_mailed'",
      [workspace],
    );
    expect(rows).toEqual([{ details: { name: 'Rent of …', to: 'boss@example.com' } }]);
  });
});
