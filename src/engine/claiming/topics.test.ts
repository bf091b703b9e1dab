import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReachQuery } from '#contract/reach.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { type Entry, mayBeSent } from '#domain/may-be-sent.ts';
import { renderOnThisThread } from '#domain/rendering.ts';
import { reachOfReminder } from '#features/reach/reminder-reach.service.ts';
import { updateReminder } from '#features/reminders/reminders.service.ts';
import { createTopic, updateTopic } from '#features/topics/topics.service.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, suppress } from '#testing/engine-rows.ts';
import { passUntil } from '#testing/pass-until.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

type Listed = Pick<Entry, 'covers' | 'topic_id'> & Partial<Entry>;

describe('a message of a topic', { timeout: 60_000 }, () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let events: string;
  let news: string;
  let notices: string;
  beforeEach(async () => {
    fixture = await openEngineFixture();
    workspace = await fixture.createWorkspace();
    const make = async (name: string, more: object = {}) => {
      const input = { name, kind: 'optional', why: null, is_default: false, ...more } as const;
      return (await fixture.inWorkspace(workspace, (ctx) => createTopic(ctx, input))).id;
    };
    events = await make('Events');
    news = await make('News');
    notices = await make('Notices', { kind: 'required', why: 'law' });
  });
  afterEach(() => fixture.close());

  const hook = (n: number | string) => `https://hooks.example.com/${n}`;
  const write = (recipients: string[], topic: string | null, more: object = {}) =>
    writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients, ...(topic !== null && { topic_id: topic }) },
      ...more,
    });
  const list = (
    recipient: string,
    { covers, topic_id, ends_at = null }: Listed,
    channel: 'webhook' | 'sms' = 'webhook',
  ) =>
    fixture.inWorkspace(workspace, ({ db, workspaceId }) =>
      db
        .insertInto('suppressions')
        .values({
          workspace_id: workspaceId,
          channel,
          recipient,
          reason: ends_at === null ? 'unsubscribed' : 'paused',
          covers,
          topic_id,
          ends_at,
        })
        .execute(),
    );
  const ended = async () => {
    const over = ({ status }: { status: string }) => !['pending', 'running'].includes(status);
    const jobs = await fixture.jobsWhere(workspace, (all) => all.some(over));
    return jobs.find(over);
  };
  const codes = async () =>
    new Map((await fixture.deliveries(workspace)).map((row) => [row.recipient, row.reason_code ?? row.status]));

  /** Every set of entries that somebody may have. */
  const everySet = (now: Temporal.Instant): Entry[][] => {
    const reason = 'unsubscribed';
    const all: Entry[] = [
      { reason, covers: 'everything', topic_id: null, ends_at: null },
      { reason, covers: 'optional', topic_id: null, ends_at: null },
      { reason, covers: 'topic', topic_id: events, ends_at: null },
      { reason, covers: 'topic', topic_id: news, ends_at: null },
    ];
    const lasting = Array.from({ length: 16 }, (_, bits) => all.filter((_one, at) => (bits & (1 << at)) !== 0));
    const pause = (minutes: number): Entry[] => [
      { reason: 'paused', covers: 'optional', topic_id: null, ends_at: now.add({ minutes }).toString() },
    ];
    // Without a pause, with one that goes on for hours, and with one that has ended.
    return [[], pause(180), pause(-1)].flatMap((paused) => lasting.map((left) => [...left, ...paused]));
  };
  const expected = (topic: string | null, entries: Entry[]) => {
    const kind = topic === null ? null : topic === notices ? 'required' : 'optional';
    const verdict = mayBeSent(
      { topicId: topic, kind, occasion: 'reminder' },
      { entries, consent: 'not_needed', nowMs: fixture.clock.epochMs() },
    );
    return verdict.kind === 'send' ? 'accepted' : verdict.code;
  };
  const topicNamed = (name: string) => ({ none: null, events, notices })[name] ?? null;
  const ports = {
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    defaults: createDefaultRoutes({ sandbox: null, mailServer: null }),
    renderer: renderOnThisThread,
  };

  it.each(['none', 'events', 'notices'])(
    'reaches at the claim whom the rule and the reach say, whatever they left: %s',
    async (name) => {
      const topic = topicNamed(name);
      const sets = everySet(fixture.clock.now());
      for (const [n, entries] of sets.entries()) for (const entry of entries) await list(hook(n), entry);
      const { id } = await write(
        sets.map((_, n) => hook(n)),
        topic,
      );
      const answer = await fixture.inWorkspace(workspace, (ctx) =>
        reachOfReminder(ctx, { id, query: ReachQuery.parse({ kind: 'reached' }) }, ports),
      );
      const reach = await answer.finish(() => Promise.reject(new Error('reads nothing more')));
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await ended();
      const found = await codes();
      for (const [n, entries] of sets.entries())
        expect(found.get(hook(n)), JSON.stringify(entries)).toBe(expected(topic, entries));
      const accepted = [...found].flatMap(([recipient, code]) => (code === 'accepted' ? [recipient] : []));
      expect(reach.data.map(({ id: recipient }) => recipient).toSorted()).toEqual(accepted.toSorted());
      const left = reach.counts.find(({ kind }) => kind === 'left_topic')?.people ?? 0;
      expect(left).toBe([...found.values()].filter((code) => code?.startsWith('left_')).length);
      const paused = reach.counts.find(({ kind }) => kind === 'paused_by_recipient')?.people ?? 0;
      expect(paused).toBe([...found.values()].filter((code) => code === 'paused_by_recipient').length);
      // 24 sets have no entry for everything, and in two of those is nothing in force.
      expect(reach.left_but_required).toBe(topic === notices ? 22 : 0);
    },
  );

  it.each(['none', 'events', 'notices'])(
    'reaches whom the rule says also where they left while it waited to begin: %s',
    async (name) => {
      const topic = topicNamed(name);
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      await write([hook('first'), ...everySet(fixture.clock.now()).map((_, n) => hook(n))], topic);
      await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(1);
      const sets = everySet(fixture.clock.now());
      for (const [n, entries] of sets.entries()) for (const entry of entries) await list(hook(n), entry);
      delayed.release();
      await ended();
      const found = await codes();
      for (const [n, entries] of sets.entries())
        expect(found.get(hook(n)), JSON.stringify(entries)).toBe(expected(topic, entries));
    },
  );

  it('is not sent while its recipient has paused, and is from the moment at which the pause ends', async () => {
    const now = fixture.clock.now();
    const until = (minutes: number) => ({
      covers: 'optional' as const,
      topic_id: null,
      ends_at: now.add({ minutes }).toString(),
    });
    await list(hook('ends'), until(60));
    await list(hook('stays'), { ...until(60), ends_at: now.add({ minutes: 60, milliseconds: 1 }).toString() });
    await write([hook('ends'), hook('stays')], events);
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await ended();
    expect(await codes()).toEqual(
      new Map([
        [hook('ends'), 'accepted'],
        [hook('stays'), 'paused_by_recipient'],
      ]),
    );
  });

  it('is checked for a pause while it waits for a full destination', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await write([0, 1, 2, 3].map(hook), events);
    await fixture.start({ limits: { perDestination: 2 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(2);
    const ends = (seconds: number) => fixture.clock.now().add({ seconds }).toString();
    await list(hook(2), { covers: 'optional', topic_id: null, ends_at: ends(1) });
    await list(hook(3), { covers: 'optional', topic_id: null, ends_at: ends(3_600) });
    fixture.clock.advance({ seconds: 1 });
    delayed.release();
    await ended();
    expect([...(await codes())].filter(([, code]) => code !== 'accepted')).toEqual([[hook(3), 'paused_by_recipient']]);
  });

  it('is checked for what people left while it waits for a full destination', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await write([0, 1, 2, 3, 4, 5].map(hook), events);
    await fixture.start({ limits: { perDestination: 2 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(2);
    await list(hook(4), { covers: 'topic', topic_id: events });
    await list(hook(5), { covers: 'topic', topic_id: news });
    fixture.clock.advance({ seconds: 1 });
    delayed.release();
    await ended();
    expect([...(await codes())].filter(([, code]) => code !== 'accepted')).toEqual([[hook(4), 'left_topic']]);
  });

  it('can be left from the moment at which its topic is made optional, also by a run that is under way', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await list(hook(1), { covers: 'optional', topic_id: null });
    await write([hook(0), hook(1), hook(2)], notices);
    await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await fixture.inWorkspace(workspace, (ctx) => updateTopic(ctx, { id: notices, changes: { kind: 'optional' } }));
    delayed.release();
    await ended();
    expect([...(await codes())]).toEqual([
      [hook(0), 'accepted'],
      [hook(1), 'left_topics'],
      [hook(2), 'accepted'],
    ]);
  });

  describe('whose channels are tried in order', () => {
    const dana = '+4915112345678';
    const inOrder = { metadata: { channels: ['sms', 'webhook'], channel_mode: 'in_order' } };
    const ledger = async () =>
      (await fixture.deliveries(workspace))
        .map(({ channel, status, reason_code: code }) => `${channel} ${status}${code === null ? '' : ` ${code}`}`)
        .sort();
    const unreached = 'Cannot be reached: the recipient is on the suppression list';
    const said = async (channel: string, to = dana) => {
      const rows = await fixture.deliveries(workspace);
      const row = rows.find((one) => one.channel === channel && one.recipient === to);
      return { reason: row?.reason, reason_params: row?.reason_params };
    };
    beforeEach(async () => {
      await addChannel(fixture, {
        workspace,
        type: 'sms',
        configuration: { provider: 'twilio', api_key: 'AC0123', api_secret: 'a-token', from_number: '+493012345678' },
      });
      await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: hook('') } });
      fixture.receiver = ({ url }) =>
        url.includes('twilio') ? answerOf(201, '{"sid": "SM1", "status": "queued"}') : answerOf(200, 'thanks');
    });

    it('goes on to the next channel where nobody can leave it and the list forbids the first', async () => {
      await suppress(fixture, { workspace, channel: 'sms', recipient: dana });
      await write([dana], notices, inOrder);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject({ status: 'completed' });
      expect(await ledger()).toEqual(['sms skipped suppressed', 'webhook accepted']);
      expect(await said('sms')).toEqual({
        reason: 'The recipient is on the suppression list; continues over webhook',
        reason_params: { next: 'webhook' },
      });
    });

    it('has no line of a channel that the list forbids, where one before it has the message', async () => {
      await suppress(fixture, { workspace, channel: 'webhook', recipient: dana });
      await write([dana], notices, inOrder);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject({ status: 'completed', error_message: null });
      expect(await ledger()).toEqual(['sms accepted']);
    });

    it('says why the last channel was not tried, where the one before it has failed', async () => {
      fixture.receiver = () => answerOf(400);
      await suppress(fixture, { workspace, channel: 'webhook', recipient: dana });
      await write([dana], notices, inOrder);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject({ error_message: unreached });
      expect(await ledger()).toEqual(['sms failed refused', 'webhook skipped suppressed']);
      expect(await said('webhook')).toEqual({ reason: unreached, reason_params: { required: true } });
    });

    it('tries a channel for its whole time where the list forbids all that follow', async () => {
      fixture.receiver = () => answerOf(503);
      await suppress(fixture, { workspace, channel: 'webhook', recipient: dana });
      await write([dana], notices, inOrder);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      for (let tried = 1; tried <= 5; tried += 1) {
        const [job] = await fixture.jobsWhere(
          workspace,
          ([one]) => one?.status === 'pending' && one.attempts === tried,
        );
        fixture.clock.advance(fixture.clock.now().until(job!.run_at));
      }
      expect(await ended()).toMatchObject({ error_message: unreached });
      expect(fixture.clock.now().since('2026-03-02T09:00:00Z').total('minutes')).toBeGreaterThan(30);
      expect(fixture.requests).toHaveLength(6);
    });

    it('says that somebody cannot be reached who answers STOP while the only channel waits', async () => {
      const delayed = delayAnswers(fixture.receiver);
      fixture.receiver = delayed;
      await write(['+4915112345670', dana], notices, { metadata: { channels: ['sms'], channel_mode: 'in_order' } });
      await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(1);
      await suppress(fixture, { workspace, channel: 'sms', recipient: dana });
      delayed.release();
      expect(await ended()).toMatchObject({ status: 'completed', error_message: `1 of 2 skipped: ${unreached}` });
      expect(await said('sms', dana)).toEqual({ reason: unreached, reason_params: { required: true } });
    });

    it.each(['every', 'in_order'])('says so too where it has one channel alone (%s)', async (channel_mode) => {
      await suppress(fixture, { workspace, channel: 'sms', recipient: dana });
      await write([dana], notices, { metadata: { channels: ['sms'], channel_mode } });
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject({ status: 'cancelled', error_message: unreached });
      expect(await said('sms')).toEqual({ reason: unreached, reason_params: { required: true } });
    });

    it('goes on also where somebody answers STOP while it waits', async () => {
      const delayed = delayAnswers(fixture.receiver);
      fixture.receiver = delayed;
      await write(['+4915112345670', dana], notices, inOrder);
      await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(1);
      await suppress(fixture, { workspace, channel: 'sms', recipient: dana });
      delayed.release();
      expect(await ended()).toMatchObject({ status: 'completed' });
      expect(await ledger()).toEqual(['sms accepted', 'sms skipped suppressed', 'webhook accepted']);
      expect((await said('sms')).reason_params).toEqual({ next: 'webhook' });
    });

    it('does not go on while an attempt may be under way, whose outcome nobody knows', async () => {
      const { promise: claimedAgain, resolve } = Promise.withResolvers<void>();
      let finishes = 0;
      await write([dana], notices, inOrder);
      await fixture.start({
        wrapStore: (store) => ({
          ...store,
          async record(batch) {
            await store.record(batch);
            finishes += batch.finishes.length;
            if (finishes === 2) resolve();
          },
        }),
      });
      fixture.clock.advance({ hours: 1 });
      await ended();
      // As after the loss of the transactions that ended the attempt and its claim.
      await fixture.inWorkspace(workspace, async ({ db, now }) => {
        await db.updateTable('deliveries').set({ status: 'sending', completed_at: null }).execute();
        await db
          .updateTable('jobs')
          .set({ status: 'pending', run_at: now.toString(), completed_at: null })
          .where('status', '=', 'completed')
          .execute();
      });
      await suppress(fixture, { workspace, channel: 'sms', recipient: dana });
      fixture.clock.advance({ minutes: 1 });
      await claimedAgain;
      expect(await ledger()).toEqual(['sms sending']);
      await passUntil(fixture, async () => (await fixture.jobs(workspace)).some((job) => job.status === 'failed'));
      expect(await ledger()).toEqual(['sms unknown worker_lost']);
      expect(fixture.requests).toHaveLength(1);
    });

    it('says that somebody cannot be reached whom the list forbids on every channel', async () => {
      for (const channel of ['sms', 'webhook'] as const)
        await suppress(fixture, { workspace, channel, recipient: dana });
      await write([dana], notices, inOrder);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject({ status: 'cancelled', error_message: unreached });
      expect(await ledger()).toEqual(['sms skipped suppressed', 'webhook skipped suppressed']);
      expect((await said('sms')).reason_params).toEqual({ next: 'webhook' });
      expect(await said('webhook')).toEqual({ reason: unreached, reason_params: { required: true } });
    });

    it('does not go on where people can leave it', async () => {
      await list(dana, { covers: 'optional', topic_id: null }, 'sms');
      await write([dana], events, inOrder);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await ended();
      expect(await ledger()).toEqual(['sms skipped left_topics']);
    });
  });

  it('moves with its reminder to another topic, which its next message follows', async () => {
    await list(hook(1), { covers: 'topic', topic_id: events });
    const reminder = await write([hook(1)], events);
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await ended();
    expect([...(await codes()).values()]).toEqual(['left_topic']);
    const { name, description, schedule_config, content, metadata, status } = reminder;
    const input = { name, description, schedule_config, metadata, status, content: { ...content, topic_id: notices } };
    await fixture.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input }));
    fixture.clock.advance({ hours: 24 });
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.some(({ status: state }) => state === 'accepted'),
    );
  });
});
