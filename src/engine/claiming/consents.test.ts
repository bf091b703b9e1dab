import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReachQuery } from '#contract/reach.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { type Entry, mayBeSent } from '#domain/may-be-sent.ts';
import { consentIn, type Word } from '#domain/newest-consent.ts';
import { renderOnThisThread } from '#domain/rendering.ts';
import { listUpcoming } from '#features/contact-details/upcoming.service.ts';
import { reachOfReminder } from '#features/reach/reminder-reach.service.ts';
import { createTopic } from '#features/topics/topics.service.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { createRandom } from '#simulation/random.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, requireConsent, sayConsent } from '#testing/engine-rows.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

type Person = { number: string; words: Word[]; entries: Entry[] };

describe('a workspace that requires a consent to SMS', { timeout: 60_000 }, () => {
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
    const sms = { provider: 'twilio', api_key: 'AC0123', api_secret: 'a-token', from_number: '+493012345678' };
    await addChannel(fixture, { workspace, type: 'sms', configuration: sms });
    fixture.receiver = accept;
    await requireConsent(fixture, { workspace, channels: ['sms'] });
  });
  afterEach(() => fixture.close());

  const accept = ({ url }: { url: string }) =>
    url.includes('twilio') ? answerOf(201, '{"sid": "SM1", "status": "queued"}') : answerOf(200, 'thanks');
  const phone = (n: number) => `+4915112345${String(n).padStart(3, '0')}`;
  const write = (recipients: string[], topic: string | null, metadata: object = { channels: ['sms'] }) =>
    writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients, ...(topic !== null && { topic_id: topic }) },
      metadata,
    });
  const say = (number: string, word: Partial<Word> = {}) =>
    sayConsent(fixture, {
      workspace,
      channel: 'sms',
      recipient: number,
      word: {
        kind: 'given',
        covers: 'everything',
        topic_id: null,
        precedence: 0,
        said_at: '2026-01-02T09:00:00Z',
        ...word,
      },
    });
  const list = (recipient: string, { covers, topic_id }: Pick<Entry, 'covers' | 'topic_id'>) =>
    fixture.inWorkspace(workspace, ({ db, workspaceId }) =>
      db
        .insertInto('suppressions')
        .values({ workspace_id: workspaceId, channel: 'sms', recipient, reason: 'unsubscribed', covers, topic_id })
        .execute(),
    );
  const ended = async () => {
    const over = ({ status }: { status: string }) => !['pending', 'running'].includes(status);
    return (await fixture.jobsWhere(workspace, (all) => all.some(over))).find(over);
  };
  const codes = async () =>
    new Map((await fixture.deliveries(workspace)).map((row) => [row.recipient, row.reason_code ?? row.status]));
  const ledger = async () =>
    (await fixture.deliveries(workspace))
      .map(({ channel, status, reason_code: code }) => `${channel} ${status}${code === null ? '' : ` ${code}`}`)
      .sort();
  const topicNamed = (name: string) => ({ none: null, events, notices })[name] ?? null;

  /** People with every few words that somebody may have said, in the order in which they became known, and with entries of the list. */
  function someone(random: ReturnType<typeof createRandom>, n: number): Person {
    type Covered = Pick<Word, 'covers' | 'topic_id'>;
    const leavable: [Covered, ...Covered[]] = [
      { covers: 'everything', topic_id: null },
      { covers: 'optional', topic_id: null },
      { covers: 'topic', topic_id: events },
      { covers: 'topic', topic_id: news },
    ];
    const words = Array.from(
      { length: random.between(0, 4) },
      (): Word => ({
        kind: random.pick(['given', 'given', 'withdrawn']),
        ...random.pick([...leavable, { covers: 'topic', topic_id: notices }]),
        precedence: random.pick([0, 0, 1, 2]),
        // Few instants, so that some words are of the same one.
        said_at: random.pick(['2026-01-02T09:00:00.000Z', '2026-01-03T09:00:00.000Z', '2026-01-04T09:00:00.000Z']),
      }),
    );
    const entry: Entry = { ...random.pick(leavable), reason: 'unsubscribed', ends_at: null };
    const entries = random.chance(0.7) ? [] : [entry];
    return { number: phone(n), words, entries };
  }

  const everybody = (seed: number): Person[] => {
    const random = createRandom(seed);
    return Array.from({ length: 120 }, (_, n) => someone(random, n));
  };
  async function store(people: readonly Person[]): Promise<void> {
    for (const { number, words, entries } of people) {
      for (const word of words) await say(number, word);
      for (const entry of entries) await list(number, entry);
    }
  }
  const verdictOn = ({ words, entries }: Person, topicId: string | null): string => {
    const kind = topicId === null ? null : topicId === notices ? 'required' : 'optional';
    const about = { topicId, kind, occasion: 'reminder' } as const;
    const nowMs = fixture.clock.epochMs();
    const verdict = mayBeSent(about, { entries, consent: consentIn(words, about), nowMs });
    return verdict.kind === 'send' ? 'accepted' : verdict.code;
  };
  const ports = {
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    defaults: createDefaultRoutes({ sandbox: null, mailServer: null }),
    renderer: renderOnThisThread,
  };
  const reachOf = async (id: string) => {
    const query = ReachQuery.parse({ kind: 'reached', limit: 100 });
    const answer = await fixture.inWorkspace(workspace, (ctx) => reachOfReminder(ctx, { id, query }, ports));
    return answer.finish(() => Promise.reject(new Error('reads nothing more')));
  };

  it.each(['none', 'events', 'notices'])(
    'sends at the claim to whom the rule and the reach say, whatever they said and left: %s',
    async (name) => {
      const topic = topicNamed(name);
      const people = everybody(1);
      await store(people);
      const { id } = await write(
        people.map(({ number }) => number),
        topic,
      );
      const reach = await reachOf(id);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await ended();
      const found = await codes();
      for (const person of people)
        expect(found.get(person.number), JSON.stringify(person)).toBe(verdictOn(person, topic));
      const counted = (kind: string) => reach.counts.find((count) => count.kind === kind)?.people ?? 0;
      const coded = (code: string) => [...found.values()].filter((one) => one === code).length;
      expect(counted('reached')).toBe(coded('accepted'));
      expect(counted('no_consent')).toBe(coded('no_consent'));
      expect(coded('accepted')).toBeGreaterThan(5);
      expect(coded('no_consent')).toBeGreaterThan(20);
    },
  );

  it.each(['none', 'events', 'notices'])(
    'sends to whom the rule says also where they said it while the message waited to begin: %s',
    async (name) => {
      const topic = topicNamed(name);
      const delayed = delayAnswers(accept);
      fixture.receiver = delayed;
      const people = everybody(2);
      for (const number of ['+4915112349999', ...people.map((one) => one.number)])
        await say(number, { said_at: '2026-01-01T09:00:00Z', precedence: 2 });
      await write(['+4915112349999', ...people.map(({ number }) => number)], topic);
      await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(1);
      await store(people);
      delayed.release();
      await ended();
      const found = await codes();
      const first: Word = {
        kind: 'given',
        covers: 'everything',
        topic_id: null,
        precedence: 2,
        said_at: '2026-01-01T09:00:00Z',
      };
      for (const person of people)
        expect(found.get(person.number), JSON.stringify(person)).toBe(
          verdictOn({ ...person, words: [first, ...person.words] }, topic),
        );
    },
  );

  it('checks a message for a withdrawn consent while it waits for a full destination', async () => {
    const delayed = delayAnswers(accept);
    fixture.receiver = delayed;
    for (const n of [0, 1, 2, 3]) await say(phone(n));
    await write([0, 1, 2, 3].map(phone), events);
    await fixture.start({ limits: { perDestination: 2 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(2);
    await say(phone(2), { kind: 'withdrawn', covers: 'topic', topic_id: news, said_at: '2026-01-05T09:00:00Z' });
    await say(phone(3), { kind: 'withdrawn', said_at: '2026-01-05T09:00:00Z' });
    fixture.clock.advance({ seconds: 1 });
    delayed.release();
    await ended();
    expect([...(await codes())].filter(([, code]) => code !== 'accepted')).toEqual([[phone(3), 'no_consent']]);
  });

  it('asks nobody where it does not require one, and asks from the moment at which it does', async () => {
    await requireConsent(fixture, { workspace, channels: ['whatsapp'] });
    const delayed = delayAnswers(accept);
    fixture.receiver = delayed;
    await write([0, 1, 2].map(phone), null);
    await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await requireConsent(fixture, { workspace, channels: ['sms'] });
    delayed.release();
    await ended();
    expect([...(await codes()).values()]).toEqual(['accepted', 'no_consent', 'no_consent']);
  });

  it('says in the ledger that no consent is on record, and sends over the next channel in order', async () => {
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/' } });
    await say(phone(1));
    const { id } = await write([phone(0), phone(1)], null, { channels: ['sms', 'webhook'], channel_mode: 'in_order' });
    const reach = await reachOf(id);
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(await ledger()).toEqual(['sms accepted', 'sms skipped no_consent', 'webhook accepted']);
    const row = (await fixture.deliveries(workspace)).find(({ status }) => status === 'skipped');
    expect(row).toMatchObject({
      reason: 'No consent to SMS is on record; continues over webhook',
      reason_params: { next: 'webhook' },
    });
    expect(reach.counts).toEqual([
      { kind: 'reached', of: null, people: 2 },
      { kind: 'no_consent', of: 'sms', people: 1, reached_by: { people: 1, channels: ['webhook'] } },
    ]);
  });

  it('goes on to the next channel also where a consent is withdrawn while the message waits', async () => {
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/' } });
    const delayed = delayAnswers(accept);
    fixture.receiver = delayed;
    for (const n of [0, 1]) await say(phone(n));
    await write([phone(0), phone(1)], events, { channels: ['sms', 'webhook'], channel_mode: 'in_order' });
    await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await say(phone(1), { kind: 'withdrawn', said_at: '2026-01-05T09:00:00Z' });
    delayed.release();
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(await ledger()).toEqual(['sms accepted', 'sms skipped no_consent', 'webhook accepted']);
  });

  it.each([
    ['none', 'No consent to SMS is on record', null],
    ['notices', 'Cannot be reached: no consent to SMS is on record', { required: true }],
  ])('says whom no channel is left for: %s', async (name, reason, params) => {
    await write([phone(0)], topicNamed(name), { channels: ['sms'], channel_mode: 'in_order' });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    expect(await ended()).toMatchObject({ status: 'cancelled', error_message: reason });
    const [row] = await fixture.deliveries(workspace);
    expect(row).toMatchObject({ reason_code: 'no_consent', reason, reason_params: params });
  });

  it('names on the page of a contact what comes and what does not, by the topic', async () => {
    const id = await fixture.inWorkspace(workspace, async ({ db, workspaceId }) => {
      const row = { workspace_id: workspaceId, name: 'Ann', phone: phone(7) };
      return (await db.insertInto('contacts').values(row).returning('id').executeTakeFirstOrThrow()).id;
    });
    await say(phone(7), { covers: 'topic', topic_id: events });
    await write([phone(7)], events);
    await write([phone(7)], news);
    const { data } = await fixture.inWorkspace(workspace, (ctx) =>
      listUpcoming(ctx, id, { secrets: createSecretBox(TEST_ENCRYPTION_KEY) }),
    );
    const found = data.map(({ channels, problem }) => `${channels.join()}: ${problem}`);
    expect(found.toSorted()).toEqual([': No consent to SMS is on record', 'sms: null']);
  });
});
