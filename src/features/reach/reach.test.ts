import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reach } from '#contract/reach.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('whom a reminder reaches', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const contact = async (body: object): Promise<string> => (await call('POST', '/api/contacts', body)).json.id;
  type Draft = {
    recipients?: string[];
    channels?: string[];
    message?: string;
    subject?: string;
    values?: object;
    audience?: object;
    channel_mode?: string;
    is_event?: boolean;
  };
  const bodyOf = ({
    recipients = [],
    channels = ['email'],
    message = 'Hello',
    subject = 'Rent',
    values = {},
    audience,
    channel_mode,
    is_event,
  }: Draft) => ({
    content: { recipients, subject, message, values },
    metadata: { channels, audience, channel_mode },
    is_event,
  });
  const ask = async (draft: Draft, query = ''): Promise<Reach> => {
    const { status, json } = await call('POST', `/api/reminders/reach${query}`, bodyOf(draft));
    expect(status).toBe(200);
    return json;
  };
  /** Asks until the message was tried for everybody: a busy machine may be slower than a preview waits. */
  const askOfAll = async (draft: Draft, query = ''): Promise<Reach> => {
    for (;;) {
      const answer = await ask(draft, query);
      if (answer.unchecked === 0) return answer;
    }
  };
  const counts = async (draft: Draft) =>
    Object.fromEntries(
      (await askOfAll(draft)).counts.map(({ kind, of, people }) => [of === null ? kind : `${kind} ${of}`, people]),
    );
  const named = async (draft: Draft, query: string) => (await askOfAll(draft, query)).data.map(({ name }) => name);

  it('reads the values of contacts up to 32 MB, and tells of how many the message was not tried', async () => {
    const { owner } = cuebird;
    try {
      await owner.query(
        `insert into contacts (workspace_id, name, email, email_key, variables)
         select $1, 'P ' || n, n || '@example.com', n || '@example.com',
                (select jsonb_object_agg('v' || v, repeat('x', 2000)) from generate_series(1, 50) v) - case when n = 1 then 'v1' else '' end
           from generate_series(1, 400) n`,
        [workspace],
      );
    } finally {
    }
    const audience = { everyone: true };
    const { total, messages, unchecked } = await ask({ audience, message: 'For {{v1}}' });
    expect([total, messages]).toEqual([400, 399]);
    // Each has a little more than 100,000 bytes.
    expect(unchecked).toBeGreaterThan(80);
    expect(unchecked).toBeLessThan(100);
    const recipients = Array.from({ length: 400 }, (_, at) => `${at + 1}@example.com`);
    expect((await ask({ recipients, message: 'For {{v1}}' })).unchecked).toBe(unchecked);
    expect((await ask({ recipients, message: 'For all' })).unchecked).toBe(0);
    const reminder = { ...sampleReminder, status: 'active' };
    const content = { ...reminder.content, recipients, message: 'For {{v1}}' };
    expect((await call('POST', '/api/reminders', { ...reminder, content })).status).toBe(201);
  });

  it('says of those whom one channel does not reach how many get it over another, and over which', async () => {
    await contact({ name: 'Anna', email: 'anna@example.com', phone: '+4915112345678' });
    await contact({ name: 'Ben', email: 'ben@example.com' });
    await contact({ name: 'Cleo', email: 'cleo@example.com' });
    await contact({ name: 'Dan', phone: '+4915112345679' });
    await call('POST', '/api/suppressions', { channel: 'email', recipient: 'cleo@example.com' });
    const { counts } = await ask({ audience: { everyone: true }, channels: ['email', 'sms'] });
    expect(counts).toEqual([
      { kind: 'reached', of: null, people: 3 },
      { kind: 'suppressed', of: 'email', people: 1 },
      { kind: 'no_address', of: 'phone', people: 2, reached_by: { people: 1, channels: ['email'] } },
      { kind: 'no_address', of: 'email', people: 1, reached_by: { people: 1, channels: ['sms'] } },
    ]);
  });

  it('is told by kind, and each kind is a list of people', async () => {
    await contact({ name: 'Anna', email: 'anna@example.com', variables: { Amount: '950' } });
    await contact({ name: 'Ben', email: 'ben@example.com' });
    await contact({ name: 'Cleo', email: 'cleo@example.com', variables: { amount: '800' } });
    const dan = await contact({ name: 'Dan', phone: '+4915112345678', variables: { amount: '700' } });
    await call('POST', '/api/suppressions', { channel: 'email', recipient: 'CLEO@example.com' });
    const draft = {
      audience: { everyone: true },
      recipients: ['Eve <eve@example.com>', '+4930123456', 'no address'],
      message: '{{Amount}} for {{recipient_name}} in {{ unit }}',
      values: { UNIT: '3' },
    };
    const answer = await ask(draft);
    expect(answer).toMatchObject({ total: 7, messages: 1, unchecked: 0, refusal: null, data: [], next_cursor: null });
    expect(answer.counts).toEqual([
      { kind: 'reached', of: null, people: 1 },
      { kind: 'suppressed', of: 'email', people: 1 },
      { kind: 'lacks_value', of: 'Amount', people: 2 },
      { kind: 'no_address', of: 'email', people: 1 },
      { kind: 'unfit', of: null, people: 2 },
    ]);
    expect(await named(draft, '?kind=reached')).toEqual(['Anna']);
    expect(await named(draft, '?kind=suppressed&of=email')).toEqual(['Cleo']);
    expect(await named(draft, '?kind=lacks_value&of=Amount')).toEqual(['Ben', 'Eve']);
    const { data } = await ask(draft, '?kind=no_address&of=email');
    expect(data).toEqual([
      {
        id: dan,
        contact_id: dan,
        name: 'Dan',
        is_reached: false,
        facts: [{ kind: 'no_address', of: 'email' }],
        targets: [
          {
            channel: 'email',
            recipient: '+4915112345678',
            recipient_name: 'Dan',
            through: 'everyone',
            problem: 'Dan has no email address',
            is_fallback: false,
            is_preferred: false,
          },
        ],
      },
    ]);
    const unfit = (await ask(draft, '?kind=unfit')).data.map(({ targets }) => targets[0]?.problem);
    expect(unfit).toEqual([
      'A phone number fits none of the chosen channels (email)',
      '"no address" is neither an email address, a phone number nor a URL',
    ]);
  });

  it('counts a person once, over however many channels, and tells what they do not get', async () => {
    await contact({ name: 'Anna', email: 'anna@example.com', phone: '+4915112345678' });
    await contact({ name: 'Ben', email: 'ben@example.com' });
    await contact({ name: 'Cleo', email: 'cleo@example.com', phone: '+4915187654321' });
    await contact({ name: 'Dan' });
    await call('POST', '/api/suppressions', { channel: 'sms', recipient: '+4915187654321' });
    const draft = { audience: { everyone: true }, recipients: ['ANNA@example.com'], channels: ['email', 'sms'] };
    expect(await ask(draft)).toMatchObject({ total: 4, messages: 4 });
    expect(await counts(draft)).toEqual({
      reached: 3,
      'suppressed sms': 1,
      'no_address phone': 1,
      'no_address either': 1,
    });
    const inOrder = { ...draft, channel_mode: 'in_order' };
    expect(await ask(inOrder)).toMatchObject({ total: 4, messages: 3 });
    expect(await counts(inOrder)).toEqual({ reached: 3, 'no_address either': 1 });
  });

  it('counts a person for the channel that they prefer, where channels are tried in order', async () => {
    await contact({ name: 'Anna', email: 'anna@example.com', phone: '+4915112345678', preferred_channel: 'sms' });
    await contact({ name: 'Ben', email: 'ben@example.com', phone: '+4915112345679' });
    await contact({ name: 'Cleo', email: 'cleo@example.com', preferred_channel: 'sms' });
    const draft = { audience: { everyone: true }, channels: ['email', 'sms'], channel_mode: 'in_order' };
    const tried = async () =>
      (await ask(draft, '?kind=reached')).data.map(({ name, targets }) => [
        name,
        ...targets.map(({ channel, is_fallback: isFallback, is_preferred: isPreferred }) =>
          [channel, isFallback && 'fallback', isPreferred && 'preferred'].filter((word) => word !== false).join(' '),
        ),
      ]);
    expect(await tried()).toEqual([
      ['Anna', 'sms preferred', 'email fallback'],
      ['Ben', 'email', 'sms fallback'],
      ['Cleo', 'email'],
    ]);
    await call('POST', '/api/suppressions', { channel: 'sms', recipient: '+4915112345678' });
    expect((await tried())[0]).toEqual(['Anna', 'email', 'sms fallback']);
    expect(await ask(draft)).toMatchObject({ total: 3, messages: 3 });
  });

  it('says over which channels people are tried, and for whom none takes over', async () => {
    await contact({ name: 'Anna', email: 'anna@example.com', phone: '+4915112345678', preferred_channel: 'sms' });
    await contact({ name: 'Ben', email: 'ben@example.com', phone: '+4915112345679' });
    await contact({ name: 'Cleo', email: 'cleo@example.com' });
    const sequences = async (draft: Draft) =>
      (await ask({ channel_mode: 'in_order', ...draft })).sequences.map(
        ({ channels, people }) => `${people} ${channels.join(' > ')}`,
      );
    const everyone = { audience: { everyone: true }, channels: ['email', 'sms'] };
    expect(await sequences(everyone)).toEqual(['1 sms > email', '1 email > sms', '1 email']);
    expect((await ask(everyone)).sequences).toEqual([]);
    const phone = '+4915112345670';
    // The channel calls its own URL for each person, unless the list has URLs.
    await call('POST', '/api/channels', {
      name: 'Hook',
      type: 'webhook',
      configuration: { url: 'https://relay.example.com/' },
    });
    expect(await sequences({ recipients: [phone], channels: ['webhook', 'sms'] })).toEqual(['1 webhook > sms']);
    const mixed = { recipients: ['https://example.com/hook', phone], channels: ['webhook', 'sms'] };
    expect(await sequences(mixed)).toEqual(['1 webhook', '1 sms']);
    await call('POST', '/api/suppressions', { channel: 'sms', recipient: '+4915112345679' });
    // Nothing is tried after a channel on which the list forbids it.
    expect(await sequences(everyone)).toEqual(['2 email', '1 sms > email']);
  });

  it('compares names of variables as messages do, and asks no event for a value', async () => {
    await contact({ name: 'Anna', email: 'anna@example.com', variables: { Due_Date: '1 May' } });
    const draft = {
      audience: { everyone: true },
      subject: '{{ due date }}',
      message: '{{dueDate}} {{Due_Date}} {{rent}}',
    };
    expect(await counts(draft)).toEqual({ reached: 0, 'lacks_value rent': 1 });
    expect(await counts({ ...draft, values: { RENT: '1' } })).toEqual({ reached: 1 });
    expect(await counts({ ...draft, is_event: true })).toEqual({ reached: 1 });
  });

  it('renders a Liquid template for each person', async () => {
    await contact({ name: 'Anna', email: 'anna@example.com', variables: { kind: 'new' } });
    await contact({ name: 'Ben', email: 'ben@example.com', variables: { kind: 'old' } });
    await contact({ name: 'Cleo', email: 'cleo@example.com', variables: { kind: 'odd' } });
    const draft = {
      audience: { everyone: true },
      message: '{% if kind == "old" %}{{ amount }}{% elsif kind == "odd" %}{{ kind | nothing }}{% endif %}',
    };
    expect(await counts(draft)).toEqual({ reached: 0, not_rendered: 3 });
    const spelled = { ...draft, message: '{% if kind == "old" %}{{ amount }}{% endif %}' };
    expect(await counts(spelled)).toEqual({ reached: 2, 'lacks_value amount': 1 });
    expect(await named(spelled, '?kind=lacks_value')).toEqual(['Ben']);
  });

  it('is nobody over a channel that is off or missing', async () => {
    const { json: channel } = await call('POST', '/api/channels', {
      name: 'Hook',
      type: 'webhook',
      configuration: { url: 'https://relay.example.com/' },
    });
    const draft = { recipients: ['https://example.com/hook'], channels: ['webhook'] };
    expect(await counts(draft)).toEqual({ reached: 1 });
    const off = await call('PATCH', `/api/channels/${channel.id}`, { is_active: false });
    expect(off.status).toBe(200);
    expect(await counts(draft)).toEqual({ reached: 0, 'no_channel webhook': 1 });
    expect((await ask(draft, '?kind=no_channel')).data[0]?.targets[0]?.problem).toBe(
      'The workspace has no active channel of type webhook',
    );
  });

  it('is nobody when nobody belongs to the audience, and says so', async () => {
    expect(await ask({ audience: { tags: ['vip'] } })).toMatchObject({
      total: 0,
      refusal: 'Nobody belongs to the audience',
      counts: [{ kind: 'reached', of: null, people: 0 }],
    });
    expect(await ask({})).toMatchObject({ total: 0, refusal: null });
  });

  it('is listed page by page, by name, each person once', async () => {
    for (const name of ['dora', 'Anna', 'Cleo', 'Ben', 'Anna'])
      await contact({ name, email: `${Math.random()}@example.com` });
    const draft = { audience: { everyone: true } };
    const seen: (string | null)[] = [];
    const ids = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Reach = await ask(draft, `?kind=reached&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ name }) => name));
      for (const { id } of page.data) ids.add(id);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(['Anna', 'Anna', 'Ben', 'Cleo', 'dora']);
    expect(ids.size).toBe(5);
    const refused = await call('POST', '/api/reminders/reach?kind=reached&cursor=x', bodyOf(draft));
    expect([refused.status, refused.json.error.fields[0].path]).toEqual([400, 'cursor']);
  });

  it('counts a channel once, however often it is sent, in a saved reminder too', async () => {
    const recipients = Array.from({ length: 9_000 }, (_, at) => `to${at}@example.com`);
    const channels = Array.from({ length: 10_000 }, () => 'email');
    expect(await ask({ recipients, channels })).toMatchObject({ messages: 9_000 });
    const body = { ...sampleReminder, metadata: { channels: ['email', 'sms', 'email'] } };
    expect((await call('POST', '/api/reminders', body)).json.metadata.channels).toEqual(['email', 'sms']);
  });

  it('knows a contact by its id in capitals', async () => {
    const id = await contact({ name: 'Anna', email: 'anna@example.com' });
    const metadata = { channels: ['email'], audience: { contacts: [id.toUpperCase()] } };
    const { status, json } = await call('POST', '/api/reminders', { ...sampleReminder, metadata });
    expect([status, json.metadata?.audience]).toEqual([201, { contacts: [id] }]);
  });

  it('is asked of nobody in another workspace', async () => {
    const anna = await contact({ name: 'Anna', email: 'anna@example.com', tags: ['vip'] });
    const other = await dana.createWorkspace('Oak Lane');
    const body = bodyOf({
      audience: { everyone: true, tags: ['vip'], contacts: [anna] },
      recipients: ['anna@example.com'],
    });
    const { json } = await dana.call('POST', '/api/reminders/reach?kind=reached', { workspace: other, body });
    expect(json).toMatchObject({ total: 1, data: [{ contact_id: null, name: null }] });
  });
});
