import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveryAnalytics } from '#features/analytics/analytics.service.ts';
import {
  type MonthlyReportMailer,
  startMonthlyReportMailer,
} from '#features/monthly-reports/monthly-report-mailer.service.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { erasedKeyOf, newErasureSecret, openErasureSecret } from '#platform/erased-address.ts';
import { createLog } from '#platform/log.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addMember, connectOwner } from '#testing/owner.ts';
import { accepted, insertRunOfPeople, lacksStreet, mostWereReached } from '#testing/run-of-people.ts';

type Mail = {
  to: string;
  subject: string;
  text: string;
  id: string;
  headers: Record<string, string>;
  attachment: { name: string; content: string };
};
type Answer = { outcome: 'accepted' } | { outcome: 'declined'; words: string } | { outcome: 'unreachable' };
const secrets = createSecretBox(TEST_ENCRYPTION_KEY);
const skipped = { email: { status: 'skipped', reason_code: 'suppressed' } } as const;
const unknown: Answer = { outcome: 'declined', words: '550 5.1.1 no such user' };

describe('a monthly report', () => {
  let fixture: EngineFixture;
  let owner: Client;
  let workspace: TestWorkspace;
  let started: MonthlyReportMailer[];
  let mails: Mail[];
  let takeMail: () => Answer;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-02-10T08:00:00Z');
    owner = await connectOwner(fixture.databaseUrl);
    workspace = await fixture.createWorkspace();
    [started, mails] = [[], []];
    takeMail = () => ({ outcome: 'accepted' });
  });
  afterEach(async () => {
    for (const one of started) await one.stop();
    await owner.end();
    await fixture.close();
  });

  function start({ before = async () => {} }: { before?: () => Promise<void> } = {}): void {
    started.push(
      startMonthlyReportMailer({
        app: fixture.database.app,
        pool: fixture.database.engine,
        clock: fixture.clock,
        log: createLog('silent'),
        secrets,
        url: 'https://cuebird.example.com',
        links: ({ id }) => ({ page: `https://c/u/${id}`, oneClick: `https://c/o/${id}` }),
        sendMail: async (mail) => {
          await before();
          mails.push(mail);
          return takeMail();
        },
        isPaused: async () => false,
      }),
    );
  }

  /** Advances the clock, and waits until every process has looked for reports and sleeps again. */
  async function passes(duration: Temporal.DurationLike): Promise<void> {
    await fixture.clock.untilAsleep(started.length);
    fixture.clock.advance(duration);
    await fixture.clock.untilAsleep(started.length);
  }

  async function subscribe(
    of: { reminder?: string; group?: string; address?: string; by?: string; in?: TestWorkspace } = {},
  ): Promise<string> {
    const address = of.address ?? 'boss@example.com';
    const { rows } = await owner.query<{ id: string }>(
      `insert into monthly_reports (workspace_id, reminder_id, group_id, address, address_key, created_by, created_at, reported_month)
       values ($1, $2, $3, $4, $4, $5, $6, '2026-01-01') returning id`,
      [
        (of.in ?? workspace).workspaceId,
        of.reminder ?? null,
        of.group ?? null,
        address,
        of.by ?? (of.in ?? workspace).userId,
        fixture.clock.now().toString(),
      ],
    );
    return rows[0]?.id ?? '';
  }

  const run = (of: Partial<Parameters<typeof insertRunOfPeople>[1]> = {}) =>
    insertRunOfPeople(owner, {
      workspaceId: workspace.workspaceId,
      name: 'Rent',
      at: '2026-02-02T09:00:00Z',
      status: 'completed',
      people: [accepted],
      ...of,
    });

  const setZone = (timezone: string) =>
    owner.query(`update workspaces set settings = jsonb_set(settings, '{sendingHours}', $2) where id = $1`, [
      workspace.workspaceId,
      JSON.stringify({ timezone }),
    ]);

  it('goes by what holds when its turn comes, after the mails of others', async () => {
    await run();
    await subscribe({ address: 'first@example.com' });
    const changed = await subscribe({ address: 'typo@example.com' });
    await subscribe({ address: 'gone@example.com' });
    start({
      before: async () => {
        await owner.query('update monthly_reports set address = $2, address_key = $2 where id = $1', [
          changed,
          'right@example.com',
        ]);
        await owner.query(
          "insert into suppressions (workspace_id, channel, recipient, reason) values ($1, 'email', 'gone@example.com', 'manual') on conflict do nothing",
          [workspace.workspaceId],
        );
      },
    });
    await passes({ hours: 24 * 20 });
    expect(mails.map(({ to }) => to).toSorted()).toEqual(['first@example.com', 'right@example.com']);
  });

  it('is sent on the first at 08:00 in the zone of the workspace, with the figures of the month before', async () => {
    await setZone('America/New_York');
    await run({ people: mostWereReached, status: 'failed' });
    // The last minute of January and the first of March, in New York.
    await run({ at: '2026-02-01T04:59:00Z' });
    await run({ at: '2026-03-01T05:00:00Z' });
    await subscribe();
    start();
    await passes({ hours: 24 * 19 + 4, minutes: 45 });
    expect([fixture.clock.now().toString(), mails]).toEqual(['2026-03-01T12:45:00Z', []]);
    await passes({ minutes: 15 });
    expect(mails).toHaveLength(1);
    const [mail] = mails;
    expect(mail).toMatchObject({ to: 'boss@example.com', subject: 'Elm Street: report of February 2026' });
    for (const part of [
      'for February 2026 (America/New_York), of all its reminders.',
      '1 run. Reached: 173 of 184 people',
      '• 11 lack Street',
      '• 2026-02-02 04:00 Rent: 173 of 184 people · 11 lack Street',
      'from=2026-02-01&to=2026-02-28',
      'To get it no more: https://c/u/',
    ])
      expect(mail?.text).toContain(part);
    expect(mail?.text).not.toContain('comes late');
    expect(mail?.attachment.name).toBe('report-2026-02.csv');
    expect(mail?.attachment.content.trimEnd().split('\r\n')[1]).toContain(
      'Rent,2026-02-02 04:00,2026-02-02T09:00:00.000Z,184,173,11,0,0,0,11 lack Street,',
    );
  });

  it('is sent once, however many processes run, and once for each month', async () => {
    await subscribe();
    for (let n = 0; n < 3; n += 1) start();
    await passes({ hours: 24 * 20 });
    await passes({ hours: 24 });
    expect(mails.map(({ subject }) => subject)).toEqual(['Elm Street: report of February 2026']);
    expect(mails[0]?.text).toContain('Nothing was sent in this month.');
    await passes({ hours: 24 * 31 });
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Elm Street: report of February 2026',
      'Elm Street: report of March 2026',
    ]);
  });

  it('is sent late after a time when nothing ran, once and saying so', async () => {
    await subscribe();
    fixture.clock.advance({ hours: 24 * 70 });
    start();
    start();
    await passes({ minutes: 15 });
    await passes({ hours: 24 });
    expect(mails.map(({ subject }) => subject)).toEqual(['Elm Street: report of March 2026']);
    expect(mails[0]?.text).toContain(
      'It comes late: it could not be sent on the first of the month. Reports of months before were not sent, and do not follow.',
    );
  });

  it('is tried again under one Message-ID while the mail server refuses it, less and less often', async () => {
    takeMail = () => (mails.length > 2 ? { outcome: 'accepted' } : unknown);
    const id = await subscribe();
    start();
    await passes({ hours: 24 * 19 });
    await passes({ hours: 24 });
    const said = async () =>
      (await owner.query('select refusal, refusal_words as words from monthly_reports where refusal is not null')).rows;
    expect(await said()).toEqual([{ refusal: 'declined', words: '550 5.1.1 no such user' }]);
    for (let n = 0; n < 12; n += 1) await passes({ minutes: 15 });
    await passes({ hours: 24 });
    expect(mails.map((mail) => mail.id)).toEqual(Array.from({ length: 3 }, () => `report.${id}.2026-02-01`));
    expect(await said()).toEqual([]);
  });

  it('that a process died with is sent by another, after a quarter of an hour', async () => {
    const id = await subscribe();
    await passes({ hours: 24 * 20 });
    await owner.query('update monthly_reports set next_attempt_at = $2 where id = $1', [
      id,
      fixture.clock.now().add({ minutes: 15 }).toString(),
    ]);
    start();
    await passes({ minutes: 14 });
    expect(mails).toEqual([]);
    await passes({ minutes: 16 });
    expect(mails).toHaveLength(1);
  });

  it('of a reminder has its runs alone, and of a group its people alone', async () => {
    const { id: reminder } = await writeReminder(fixture, { workspace, name: 'Rent of {{unit}}' });
    await run({ reminderId: reminder, people: [accepted, accepted, lacksStreet], status: 'failed' });
    await run({ name: 'Other', at: '2026-02-03T09:00:00Z', people: [accepted, lacksStreet], status: 'failed' });
    const { rows: people } = await owner.query<{ id: string }>('select id from contacts where workspace_id = $1', [
      workspace.workspaceId,
    ]);
    await owner.query(`update contacts set tags = '{tenant}' where id = any ($1)`, [
      people.filter((_, n) => n % 2 === 0).map(({ id }) => id),
    ]);
    const rule = { match: 'all', conditions: [{ test: 'has_tag', tag: 'tenant' }] };
    const { rows } = await owner.query<{ id: string }>(
      `insert into contact_groups (workspace_id, name, rule) values ($1, 'Tenants', $2) returning id`,
      [workspace.workspaceId, JSON.stringify(rule)],
    );
    const { rows: own } = await owner.query<{ reached: number; total: number }>(
      `select count(*) filter (where d.status = 'accepted')::int as reached, count(*)::int as total
         from deliveries d join contacts c on c.id = d.contact_id where d.workspace_id = $1 and c.tags = '{tenant}'`,
      [workspace.workspaceId],
    );
    await subscribe({ reminder, address: 'reminder@example.com' });
    await subscribe({ group: rows[0]?.id ?? '', address: 'group@example.com' });
    start();
    await passes({ hours: 24 * 20 });
    const textTo = (name: string) => mails.find(({ to }) => to === `${name}@example.com`)?.text;
    expect(textTo('reminder')).toContain('of the reminder Rent of …');
    expect(textTo('reminder')).toContain('1 run. Reached: 2 of 3 people');
    expect(textTo('group')).toContain('for the people who are in the group Tenants now');
    expect(textTo('group')).toContain(`Reached: ${own[0]?.reached} of ${own[0]?.total} people`);
  });

  it('has figures equal to those of the analytics for the month, in the zone of the workspace', async () => {
    await setZone('America/New_York');
    await run({ people: mostWereReached, status: 'failed' });
    await run({ at: '2026-02-12T09:00:00Z', people: [accepted, lacksStreet, skipped], status: 'failed' });
    // The last minute of February, and the last one before it, in New York.
    await run({ at: '2026-03-01T04:59:00Z', people: [accepted, accepted] });
    await run({ at: '2026-02-01T04:59:00Z', people: [accepted] });
    await subscribe();
    start();
    await passes({ hours: 24 * 20 });
    const month = { from: '2026-02-01', to: '2026-02-28', timezone: 'America/New_York' };
    const { people } = await fixture.inWorkspace(workspace, (ctx) => deliveryAnalytics(ctx, month));
    const { reached, missed } = people;
    expect(mails[0]?.text).toContain(`Reached: ${reached} of ${reached + missed} people`);
    expect({ reached, missed }).toEqual({ reached: 176, missed: 13 });
  });

  it('has every run once where they are read in several pages', async () => {
    for (let n = 0; n < 23; n += 1)
      await run({ at: `2026-02-02T09:${String(n % 4).padStart(2, '0')}:00Z`, people: [accepted, accepted] });
    await subscribe();
    start();
    await passes({ hours: 24 * 20 });
    expect(mails[0]?.text).toContain('23 runs. Reached: 46 of 46 people');
    expect(mails[0]?.attachment.content.trimEnd().split('\r\n')).toHaveLength(24);
  });

  it('of another workspace does not wait for all reports of one that has many', async () => {
    for (let n = 0; n < 8; n += 1) await subscribe({ address: `many${n}@example.com` });
    await subscribe({ address: 'one@example.com', in: await fixture.createWorkspace('Oak Lane') });
    start();
    await passes({ hours: 24 * 20 });
    expect(mails).toHaveLength(9);
    expect(mails.findIndex(({ to }) => to === 'one@example.com')).toBeLessThan(3);
  });

  it('that cannot be made waits longer and longer, and the next one of its workspace is mailed in the same look', async () => {
    takeMail = () => {
      if (mails.at(-1)?.to === mails[0]?.to) throw new Error('canceling statement due to statement timeout');
      return { outcome: 'accepted' };
    };
    await subscribe({ address: 'one@example.com' });
    await subscribe({ address: 'two@example.com' });
    start();
    await passes({ hours: 24 * 19 });
    const tried = () => mails.map(({ to }) => to);
    const [failing] = tried();
    expect(tried().toSorted()).toEqual(['one@example.com', 'two@example.com']);
    const waiting = async () =>
      (
        await owner.query(
          'select address, refusal, refusal_words as words, next_attempt_at - refused_at as wait from monthly_reports where refusal is not null',
        )
      ).rows;
    const shown = { address: failing, refusal: 'unreachable', words: null };
    expect(await waiting()).toMatchObject([{ ...shown, wait: { hours: 1 } }]);
    await passes({ minutes: 45 });
    expect(tried()).toHaveLength(2);
    await passes({ hours: 2 });
    expect(tried().slice(2)).toEqual([failing]);
    expect(await waiting()).toMatchObject([{ ...shown, wait: { hours: 2, minutes: 45 } }]);
  });

  it('that fails because its process stops is not shown as refused', async () => {
    await subscribe();
    const stopped = new Promise<void>((resolve) => {
      start({
        before: async () => {
          resolve(started[0]?.stop());
          throw new Error('the pool is closed');
        },
      });
    });
    await fixture.clock.untilAsleep(1);
    fixture.clock.advance({ hours: 24 * 20 });
    await stopped;
    const { rows } = await owner.query('select refusal, next_attempt_at is null as "isFree" from monthly_reports');
    expect(rows).toEqual([{ refusal: null, isFree: false }]);
  });

  it('says which runs the workspace has deleted already', async () => {
    await owner.query(`update workspaces set settings = jsonb_set(settings, '{retentionDays}', '30') where id = $1`, [
      workspace.workspaceId,
    ]);
    await run();
    await subscribe();
    fixture.clock.advance({ hours: 24 * 26 });
    start();
    await passes({ minutes: 15 });
    expect(mails[0]?.text).toContain(
      'This workspace deletes jobs after 30 days: runs before 2026-02-06 08:15 may be missing here.',
    );
    await passes({ hours: 24 * 26 });
    expect(mails[1]?.subject).toBe('Elm Street: report of March 2026');
    expect(mails[1]?.text).toContain('may be missing here');
  });

  it('names no deleted runs where all of the month are kept', async () => {
    await owner.query(`update workspaces set settings = jsonb_set(settings, '{retentionDays}', '90') where id = $1`, [
      workspace.workspaceId,
    ]);
    await subscribe();
    start();
    await passes({ hours: 24 * 20 });
    expect(mails[0]?.text).not.toContain('deletes jobs');
  });

  it('carries the link that ends it, as mail programs show it', async () => {
    const id = await subscribe();
    start();
    await passes({ hours: 24 * 20 });
    expect(mails[0]?.headers).toEqual({
      'List-Unsubscribe': `<https://c/o/${id}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  it('that the server took, from a process that died before it marked it, comes once more under the same Message-ID', async () => {
    const id = await subscribe();
    await owner.query(
      `create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
    );
    await owner.query(
      'create trigger die before update of reported_month on monthly_reports for each row execute function die()',
    );
    start();
    await passes({ hours: 24 * 20 });
    await owner.query('drop trigger die on monthly_reports');
    await passes({ minutes: 15 });
    await passes({ minutes: 15 });
    await passes({ hours: 24 });
    expect(mails.map((mail) => mail.id)).toEqual(Array.from({ length: 2 }, () => `report.${id}.2026-02-01`));
  });

  it('has figures equal to those of each run', async () => {
    await run({ people: mostWereReached, status: 'failed' });
    await run({ at: '2026-02-12T09:00:00Z', people: [accepted, lacksStreet], status: 'failed' });
    await subscribe();
    start();
    await passes({ hours: 24 * 20 });
    expect(mails[0]?.text).toContain('2 runs. Reached: 174 of 186 people');
    expect(mails[0]?.text).toContain('• 12 lack Street');
  });

  it('is not sent to a suppressed address, of a deleted reminder, or for somebody who is no owner or admin any more', async () => {
    const { id: reminder } = await writeReminder(fixture, { workspace });
    const { userId } = await fixture.createWorkspace('Other');
    await addMember(owner, { workspace: workspace.workspaceId, userId, role: 'admin' });
    await subscribe({ address: 'gone@example.com' });
    await subscribe({ address: 'deleted@example.com', reminder });
    await subscribe({ address: 'demoted@example.com', by: userId });
    await owner.query(
      `insert into suppressions (workspace_id, channel, recipient, reason) values ($1, 'email', 'gone@example.com', 'manual')`,
      [workspace.workspaceId],
    );
    await fixture.inWorkspace(workspace, (ctx) => deleteReminder(ctx, reminder));
    await owner.query(`update workspace_members set role = 'member' where user_id = $1 and workspace_id = $2`, [
      userId,
      workspace.workspaceId,
    ]);
    start();
    await passes({ hours: 24 * 20 });
    expect(mails).toEqual([]);
  });

  it('is not sent to an address that was erased and entered again, nor does it keep back the others', async () => {
    const secret = newErasureSecret({ ...workspace, secrets });
    await owner.query('insert into erasure_secrets (workspace_id, sealed_secret) values ($1, $2)', [
      workspace.workspaceId,
      secret,
    ]);
    const hash = erasedKeyOf(openErasureSecret(secret, { ...workspace, secrets }))('gone@example.com');
    await owner.query(
      `insert into suppressions (workspace_id, channel, recipient, reason) values ($1, 'email', $2, 'erased')`,
      [workspace.workspaceId, hash],
    );
    await subscribe({ address: 'gone@example.com' });
    await subscribe({ address: 'boss@example.com' });
    start();
    await passes({ hours: 24 * 20 });
    expect(mails.map(({ to }) => to)).toEqual(['boss@example.com']);
  });

  it('ends with its reminder, its group, and the membership of who set it up', async () => {
    const { id: reminder } = await writeReminder(fixture, { workspace });
    const { userId } = await fixture.createWorkspace('Other');
    await addMember(owner, { workspace: workspace.workspaceId, userId, role: 'admin' });
    const rule = { match: 'all', conditions: [{ test: 'has_tag', tag: 'tenant' }] };
    const { rows } = await owner.query<{ id: string }>(
      `insert into contact_groups (workspace_id, name, rule) values ($1, 'Tenants', $2) returning id`,
      [workspace.workspaceId, JSON.stringify(rule)],
    );
    await subscribe({ reminder, address: 'a@example.com' });
    await subscribe({ group: rows[0]?.id ?? '', address: 'b@example.com' });
    await subscribe({ by: userId, address: 'c@example.com' });
    await owner.query('delete from reminders where id = $1', [reminder]);
    await owner.query('delete from contact_groups where id = $1', [rows[0]?.id]);
    await owner.query('delete from profiles where id = $1', [userId]);
    expect((await owner.query('select from monthly_reports')).rowCount).toBe(0);
  });
});
