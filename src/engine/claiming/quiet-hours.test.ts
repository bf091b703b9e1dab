import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReceivingHours } from '#contract/receiving-hours.ts';
import { createTopic } from '#features/topics/topics.service.ts';
import { TopicInput } from '#contract/topics.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, setSendingHours } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

// 2 March 2026 is a Monday; Berlin is an hour ahead of UTC until the 29th.
describe('the hours in which recipients want messages', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T10:00:00Z');
    workspace = await fixture.createWorkspace();
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/' } });
  });
  afterEach(() => fixture.close());

  const everyDay = [1, 2, 3, 4, 5, 6, 7];
  const wish = (address: string, hours: Partial<ReceivingHours> | null) =>
    fixture.inWorkspace(workspace, async ({ db, workspaceId }) => {
      await db
        .deleteFrom('preferences')
        .where('workspace_id', '=', workspaceId)
        .where('address', '=', address)
        .execute();
      if (hours === null) return;
      const whole = { days: everyDay, from: '18:00', to: '20:00', timezone: 'Europe/Berlin', ...hours };
      await db
        .insertInto('preferences')
        .values({ workspace_id: workspaceId, address, hours: JSON.stringify(whole) })
        .execute();
    });
  const setHours = (changes: object) => setSendingHours(fixture, { workspace, zone: 'workspace', ...changes });
  const at = (startDate: string, more: object = {}) => ({
    schedule_config: { type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC', ...more },
  });
  const write = (recipients: string[], more: object, topic?: string) =>
    writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients, ...(topic !== undefined && { topic_id: topic }) },
      ...more,
    });
  const goTo = (time: string) => fixture.clock.advance(fixture.clock.now().until(time));
  const rowsOnce = (isSo: (status: string) => boolean, count = 1) =>
    fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.length >= count && rows.every(({ status }) => isSo(status)),
    );
  const ended = (count = 1) => rowsOnce((status) => ['accepted', 'skipped', 'failed'].includes(status), count);
  const waiting = (count = 1) => rowsOnce((status) => status === 'waiting', count);

  it('defer their messages until they begin, and those of nobody else, with a code of its own', async () => {
    await wish('ann@example.com', {});
    await write(['ann@example.com', 'bert@example.com'], at('2026-03-02T11:00:00'));
    await fixture.start();
    goTo('2026-03-02T11:00:00Z');
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.length === 2 && all.some(({ status }) => status === 'accepted'),
    );
    expect(rows.map((row) => [row.recipient, row.status, row.reason_code, row.reason, row.next_attempt_at])).toEqual([
      [
        'ann@example.com',
        'waiting',
        'waiting_for_quiet_hours',
        'Waits until the recipient wants messages: Mon 18:00 Europe/Berlin',
        '2026-03-02T17:00:00.000Z',
      ],
      ['bert@example.com', 'accepted', null, null, null],
    ]);
    goTo('2026-03-02T16:59:59Z');
    expect(fixture.requests).toHaveLength(1);
    goTo('2026-03-02T17:00:00Z');
    expect((await ended(2)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['accepted', 1],
      ['accepted', 1],
    ]);
  });

  it('narrow the hours of the workspace: the first time that both allow', async () => {
    await setHours({});
    await wish('ann@example.com', { days: [3], from: '06:00', to: '12:00' });
    await write(['ann@example.com'], at('2026-03-02T22:00:00'));
    await fixture.start();
    goTo('2026-03-02T22:00:00Z');
    // On Tuesday the workspace sends, and on Wednesday Ann wants it, from when the workspace opens.
    expect(await waiting()).toMatchObject([
      { reason_code: 'waiting_for_sending_hours', next_attempt_at: '2026-03-04T07:00:00.000Z' },
    ]);
    goTo('2026-03-04T07:00:00Z');
    expect(await ended()).toMatchObject([{ status: 'accepted' }]);
  });

  it('follow the number over SMS, however the reminder spells it, and every spelling of an address', async () => {
    await wish('ann@example.com', {});
    await wish('+4915112345678', {});
    await write(['Ann@EXAMPLE.com', '+49 151 12345678'], at('2026-03-02T11:00:00'));
    await fixture.start();
    goTo('2026-03-02T11:00:00Z');
    expect((await waiting(2)).map(({ reason_code: code }) => code)).toEqual([
      'waiting_for_quiet_hours',
      'waiting_for_quiet_hours',
    ]);
  });

  it('that never meet those of the workspace skip an optional message, and a required one follows the workspace', async () => {
    await setHours({});
    await wish('ann@example.com', { days: [6, 7] });
    const law = await fixture.inWorkspace(workspace, (ctx) =>
      createTopic(ctx, TopicInput.parse({ name: 'Notices', kind: 'required', why: 'law' })),
    );
    await write(['ann@example.com'], at('2026-03-02T12:00:00'));
    await fixture.start();
    goTo('2026-03-02T12:00:00Z');
    expect(await ended()).toMatchObject([
      {
        status: 'skipped',
        reason_code: 'hours_never_meet',
        reason: 'The hours in which the recipient wants messages and the sending hours never meet',
      },
    ]);
    const notices = async () => (await fixture.database.engine.query('select kind, reason from notices')).rows;
    // The owners hear of it, because they may change the sending hours.
    const missed = [
      { kind: 'missed', reason: 'The hours in which the recipient wants messages and the sending hours never meet' },
    ];
    expect(await notices()).toEqual(missed);
    await write(['ann@example.com'], at('2026-03-02T13:00:00'), law.id);
    goTo('2026-03-02T13:00:00Z');
    expect((await ended(2)).map(({ status }) => status).toSorted()).toEqual(['accepted', 'skipped']);
    expect(await notices()).toEqual(missed);
  });

  describe('and required messages, which follow the hours of the workspace alone:', () => {
    let law: string;
    beforeEach(async () => {
      // Sunday at three alone.
      await wish('ann@example.com', { days: [7], from: '03:00', to: '04:00', timezone: 'UTC' });
      const input = TopicInput.parse({ name: 'Notices', kind: 'required', why: 'law' });
      law = (await fixture.inWorkspace(workspace, (ctx) => createTopic(ctx, input))).id;
    });

    it('one waits for nothing, nor does its retry', async () => {
      fixture.receiver = () => answerOf(503);
      await write(['ann@example.com'], at('2026-03-02T11:00:00'), law);
      await fixture.start();
      goTo('2026-03-02T11:00:00Z');
      const [row] = await waiting();
      expect([row?.reason, row?.next_attempt_at]).toEqual(['HTTP 503', expect.stringMatching(/^2026-03-02T11:0/)]);
      fixture.receiver = () => answerOf(200);
      goTo('2026-03-02T11:10:00Z');
      expect(await ended()).toMatchObject([{ status: 'accepted' }]);
    });

    it('a daily one comes each day', async () => {
      await write(['ann@example.com'], at('2026-03-02T11:00:00', { scheduleType: 'daily' }), law);
      await fixture.start();
      for (const [count, day] of [2, 3, 4].entries()) {
        goTo(`2026-03-0${day}T11:00:00Z`);
        expect((await ended(count + 1)).map(({ status }) => status)).toEqual(Array(count + 1).fill('accepted'));
      }
    });

    it('one outside of the hours of the workspace waits until these begin', async () => {
      await setHours({});
      await write(['ann@example.com'], at('2026-03-02T22:00:00'), law);
      await fixture.start();
      goTo('2026-03-02T22:00:00Z');
      expect(await waiting()).toMatchObject([
        { reason_code: 'waiting_for_sending_hours', next_attempt_at: '2026-03-03T07:00:00.000Z' },
      ]);
      goTo('2026-03-03T07:00:00Z');
      expect(await ended()).toMatchObject([{ status: 'accepted' }]);
    });

    it('one of many recipients holds back neither its own nor the others', async () => {
      const others = Array.from({ length: 40 }, (_, n) => `p${n}@example.com`);
      await write([...others, 'ann@example.com'], at('2026-03-02T11:00:00'), law);
      await fixture.start();
      goTo('2026-03-02T11:00:00Z');
      expect((await ended(41)).every(({ status }) => status === 'accepted')).toBe(true);
    });
  });

  it('skip what its next occurrence overtakes, and let live what waits for days', async () => {
    await wish('ann@example.com', { days: [7] });
    await wish('bert@example.com', { days: [7] });
    await write(['ann@example.com'], at('2026-03-02T11:00:00', { scheduleType: 'daily' }));
    await write(['bert@example.com'], at('2026-03-02T11:00:00'));
    await fixture.start();
    goTo('2026-03-02T11:00:00Z');
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.length === 2 && all.every(({ status }) => status !== 'sending' && status !== 'queued'),
    );
    const byName = rows.toSorted((one, other) => one.recipient.localeCompare(other.recipient));
    expect(byName.map(({ recipient, status, reason_code: code }) => [recipient, status, code])).toEqual([
      ['ann@example.com', 'skipped', 'outside_sending_hours'],
      ['bert@example.com', 'waiting', 'waiting_for_quiet_hours'],
    ]);
    goTo('2026-03-08T17:00:00Z');
    await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.some(({ recipient, status }) => recipient === 'bert@example.com' && status === 'accepted'),
    );
  });

  it('are those of the claim: a wish that comes later is for the next message', async () => {
    await wish('ann@example.com', {});
    await write(['ann@example.com'], at('2026-03-02T11:00:00'));
    await fixture.start();
    goTo('2026-03-02T11:00:00Z');
    await waiting();
    await wish('ann@example.com', null);
    goTo('2026-03-02T16:59:00Z');
    expect(fixture.requests).toHaveLength(0);
    goTo('2026-03-02T17:00:00Z');
    expect(await ended()).toMatchObject([{ status: 'accepted' }]);
  });

  it('move a retry, and hold back no test', async () => {
    fixture.receiver = () => answerOf(503);
    await wish('ann@example.com', { from: '12:00', to: '13:00' });
    const { id } = await write(['ann@example.com'], at('2026-03-02T11:59:58'));
    await fixture.start();
    goTo('2026-03-02T11:59:58Z');
    expect(await waiting()).toMatchObject([{ reason: 'HTTP 503', next_attempt_at: '2026-03-03T11:00:00.000Z' }]);
    fixture.receiver = () => answerOf(200);
    await fixture.inWorkspace(workspace, (ctx) =>
      testReminder(ctx, { id, test: { subject: 'Rent', message: 'Hi', recipients: ['ann@example.com'] } }),
    );
    await fixture.until(
      async () => fixture.requests.length,
      (count) => count === 2,
    );
  });

  it('are asked for in no workspace where nobody has any', async () => {
    await addContact(fixture, { workspace, email: 'ann@example.com' });
    const other = await fixture.createWorkspace();
    await fixture.inWorkspace(other, ({ db, workspaceId }) =>
      db
        .insertInto('preferences')
        .values({
          workspace_id: workspaceId,
          address: 'ann@example.com',
          hours: JSON.stringify({ days: everyDay, from: '18:00', to: '20:00', timezone: 'Europe/Berlin' }),
        })
        .execute(),
    );
    await write(['ann@example.com'], at('2026-03-02T11:00:00'));
    await fixture.start();
    goTo('2026-03-02T11:00:00Z');
    expect(await ended()).toMatchObject([{ status: 'accepted' }]);
  });
});
