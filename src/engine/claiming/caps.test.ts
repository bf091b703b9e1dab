import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FrequencyCap } from '#contract/frequency-cap.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { sendByJob } from '#features/jobs/message-jobs.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { createTopic } from '#features/topics/topics.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, setFrequencyCap, setSendingHours } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

const byText = (one: unknown, other: unknown) => String(one).localeCompare(String(other));

// 2 March 2026 is a Monday; Berlin is an hour ahead of UTC until the 29th.
describe('the frequency cap', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/' } });
  });
  afterEach(() => fixture.close());

  const cap = (changes: Partial<FrequencyCap>) => setFrequencyCap(fixture, { workspace, ...changes });
  const once = (startDate: string) => ({
    schedule_config: { type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC' },
  });
  const write = (recipients: string[], more: object, content: object = {}) =>
    writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients, ...content }, ...more });
  const urgent = { metadata: { channels: ['webhook'], priority: 'high' } };
  const goTo = (time: string) => fixture.clock.advance(fixture.clock.now().until(time));
  const rows = async () =>
    (await fixture.deliveries(workspace))
      .map((row) => [row.recipient, row.status, row.reason_code, row.next_attempt_at])
      .sort(([, , , a], [, , , b]) => String(a).localeCompare(String(b)));
  const settled = (count: number) =>
    fixture.until(
      rows,
      (all) => all.length >= count && all.every(([, status]) => status !== 'queued' && status !== 'sending'),
    );
  const texts = () => fixture.messages().map(({ recipient }) => recipient);

  it('lets as many messages begin a day as it says, and the others on the next day, at the time at which they were due', async () => {
    await cap({ perDay: 2 });
    for (const minute of ['00', '01', '02']) await write(['ann@example.com'], once(`2026-03-02T09:${minute}:00`));
    await write(['bob@example.com'], once('2026-03-02T09:02:00'));
    await fixture.start();
    goTo('2026-03-02T09:02:00Z');
    expect(await settled(4)).toEqual([
      ['ann@example.com', 'waiting', 'waiting_for_cap', '2026-03-03T09:02:00.000Z'],
      ['ann@example.com', 'accepted', null, null],
      ['ann@example.com', 'accepted', null, null],
      ['bob@example.com', 'accepted', null, null],
    ]);
    const [waiting] = (await fixture.deliveries(workspace)).filter(({ status }) => status === 'waiting');
    expect(waiting?.reason).toBe('Waits for Tue 10:02 Europe/Berlin: one address gets at most 2 messages a day');
    goTo('2026-03-03T09:01:59Z');
    expect(texts()).toHaveLength(3);
    goTo('2026-03-03T09:02:00Z');
    await fixture.until(rows, (all) => all.every(([, status]) => status === 'accepted'));
    expect(texts().toSorted()).toEqual([...Array.from({ length: 3 }, () => 'ann@example.com'), 'bob@example.com']);
  });

  it('has a message wait for Monday when the week is full, and again when that day is full by then', async () => {
    await cap({ perDay: 1, perWeek: 2 });
    for (const day of ['02', '03', '04', '05']) await write(['ann@example.com'], once(`2026-03-${day}T09:00:00`));
    await fixture.start();
    for (const day of ['02', '03', '04', '05']) {
      goTo(`2026-03-${day}T09:00:00Z`);
      await settled(Number(day) - 1);
    }
    const monday = ['ann@example.com', 'waiting', 'waiting_for_cap', '2026-03-09T09:00:00.000Z'];
    expect(await rows()).toEqual([
      monday,
      monday,
      ...Array.from({ length: 2 }, () => ['ann@example.com', 'accepted', null, null]),
    ]);
    goTo('2026-03-09T09:00:00Z');
    await fixture.until(rows, (all) => all.filter(([, status]) => status === 'accepted').length === 3);
    expect((await settled(4))[0]).toEqual([
      'ann@example.com',
      'waiting',
      'waiting_for_cap',
      '2026-03-10T09:00:00.000Z',
    ]);
    goTo('2026-03-10T09:00:00Z');
    await fixture.until(rows, (all) => all.every(([, status]) => status === 'accepted'));
    expect(fixture.requests).toHaveLength(4);
  });

  it('skips a message whose next occurrence comes before there is room, and says so', async () => {
    await cap({ perDay: 1 });
    const daily = (startDate: string) => ({
      schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate, timezone: 'UTC' },
    });
    await write(['ann@example.com'], daily('2026-03-02T09:00:00'));
    await write(['ann@example.com'], daily('2026-03-02T10:00:00'));
    await fixture.start();
    goTo('2026-03-02T09:00:00Z');
    await settled(1);
    goTo('2026-03-02T10:00:00Z');
    const reason = 'One address gets at most 1 message a day, and the next occurrence comes before there is room again';
    const all = await fixture.until(
      () => fixture.deliveries(workspace),
      (found) => found.some(({ status }) => status === 'skipped'),
    );
    expect(all.map((row) => [row.status, row.reason_code, row.reason]).toSorted(byText)).toEqual([
      ['accepted', null, null],
      ['skipped', 'over_cap', reason],
    ]);
  });

  it('gives up what found no room for eight days', async () => {
    await cap({ perWeek: 1 });
    for (const minute of ['00', '01', '02']) await write(['ann@example.com'], once(`2026-03-02T09:${minute}:00`));
    await fixture.start();
    goTo('2026-03-02T09:02:00Z');
    await settled(3);
    goTo('2026-03-09T09:02:00Z');
    await fixture.until(rows, (all) => all.every(([, status]) => status === 'accepted' || status === 'skipped'));
    expect((await rows()).map(([, status, code]) => [status, code]).toSorted(byText)).toEqual([
      ['accepted', null],
      ['accepted', null],
      ['skipped', 'over_cap'],
    ]);
  });

  it('skips what a program sends, when the day is full: it would come too late', async () => {
    await cap({ perDay: 1 });
    await fixture.start();
    const send = () =>
      fixture.inWorkspace(workspace, (ctx) =>
        sendByJob(ctx, {
          type: 'api_notification',
          reminderId: null,
          name: 'Parcel',
          at: fixture.clock.now().toString(),
          maxAttempts: 1,
          payload: {
            channels: ['webhook'],
            recipients: ['ann@example.com'],
            content: { subject: 'Parcel', message: 'Hi' },
          },
        }),
      );
    await send();
    await settled(1);
    await send();
    await settled(2);
    const all = await fixture.deliveries(workspace);
    expect(all.map((row) => [row.status, row.reason]).toSorted(byText)).toEqual([
      ['accepted', null],
      ['skipped', 'One address gets at most 1 message a day, and this message would come too late on another day'],
    ]);
  });

  it('neither counts nor holds back what is urgent, required or a test, and what goes to a program', async () => {
    await cap({ perDay: 1 });
    const topic = await fixture.inWorkspace(workspace, (ctx) =>
      createTopic(ctx, { name: 'Notices', kind: 'required', why: 'law', is_default: false }),
    );
    const reminder = await write(['ann@example.com'], { ...once('2026-03-02T09:00:00'), ...urgent });
    await write(['ann@example.com'], once('2026-03-02T09:00:00'), { topic_id: topic.id });
    for (let times = 0; times < 2; times += 1)
      await write(['https://hooks.example.com/rent'], once('2026-03-02T09:00:00'));
    await fixture.start();
    goTo('2026-03-02T09:00:00Z');
    await settled(4);
    await fixture.inWorkspace(workspace, (ctx) =>
      testReminder(ctx, { id: reminder.id, test: { recipients: ['ann@example.com'], subject: 'Try', message: 'Hi' } }),
    );
    await settled(5);
    await write(['ann@example.com'], once('2026-03-02T09:01:00'));
    goTo('2026-03-02T09:01:00Z');
    expect((await settled(6)).map(([, status]) => status)).toEqual(Array.from({ length: 6 }, () => 'accepted'));
  });

  it('counts a message once, however often it is tried', async () => {
    await cap({ perDay: 2 });
    fixture.receiver = () => answerOf(410);
    await write(['ann@example.com'], once('2026-03-02T09:00:00'));
    await fixture.start();
    goTo('2026-03-02T09:00:00Z');
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'failed');
    fixture.receiver = () => answerOf(200);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));
    await fixture.until(rows, (all) => all.every(([, status]) => status === 'accepted'));
    await write(['ann@example.com'], once('2026-03-02T09:05:00'));
    goTo('2026-03-02T09:05:00Z');
    expect((await settled(2)).map(([, status]) => status)).toEqual(['accepted', 'accepted']);
  });

  it('counts what waits for sending hours on the day on which they open, and waits until they are open', async () => {
    await setSendingHours(fixture, { workspace, from: '10:30', to: '12:00', days: [1, 2, 3, 4, 5, 6, 7] });
    await cap({ perDay: 1 });
    for (const minute of ['00', '01']) await write(['ann@example.com'], once(`2026-03-02T09:${minute}:00`));
    await fixture.start();
    goTo('2026-03-02T09:01:00Z');
    await fixture.until(rows, (all) => all.length === 2 && all.every(([, status]) => status === 'waiting'));
    goTo('2026-03-02T09:30:00Z');
    await fixture.until(rows, (all) => all.some(([, status]) => status === 'accepted'));
    const waiting = await fixture.until(rows, (all) => all.some(([, , code]) => code === 'waiting_for_cap'));
    // At 10:00 in Berlin, when it was due, the hours of the next day have not begun.
    expect(waiting.map(([, status, code, at]) => [status, code, at])).toEqual([
      ['waiting', 'waiting_for_cap', '2026-03-03T09:30:00.000Z'],
      ['accepted', null, null],
    ]);
  });

  it('never gives the last place of a day to two of one claim, or of two processes', async () => {
    await cap({ perDay: 3 });
    const people = Array.from({ length: 20 }, (_, n) => `tenant${n}@example.com`);
    for (let times = 0; times < 6; times += 1) await write(people, once('2026-03-02T09:00:00'));
    await fixture.start({ limits: { jobsPerClaim: 1 } });
    await fixture.start({ limits: { jobsPerClaim: 4 } });
    goTo('2026-03-02T09:00:00Z');
    await settled(120);
    const sent = Map.groupBy(texts(), (recipient) => recipient);
    expect([...sent.values()].map((list) => list.length)).toEqual(people.map(() => 3));
    expect((await rows()).filter(([, status]) => status === 'waiting')).toHaveLength(60);
  });

  it('holds nothing back where it is not set, or cannot be read', async () => {
    await setFrequencyCap(fixture, { workspace, timezone: 'Nowhere/Land', perDay: 1 });
    for (let times = 0; times < 3; times += 1) await write(['ann@example.com'], once('2026-03-02T09:00:00'));
    await fixture.start();
    goTo('2026-03-02T09:00:00Z');
    expect((await settled(3)).map(([, status]) => status)).toEqual(['accepted', 'accepted', 'accepted']);
  });
});
