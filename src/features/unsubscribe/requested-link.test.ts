import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayInWords } from '#domain/day-in-words.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';

const tokens = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY));
const address = 'Ann@Example.com';

describe('a link to their preferences that a recipient asks for', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  /** The link of a message, which may be forwarded. */
  let forwarded: string;
  let fresh: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    forwarded = linkTo({});
    fresh = linkTo({ freshUntil: Temporal.Now.instant().add({ minutes: 30 }) });
  });
  afterAll(() => cuebird.stop());

  const linkTo = (more: { freshUntil?: Temporal.Instant; channel?: 'email' | 'sms'; recipient?: string }) =>
    tokens.seal({ stops: 'messages', workspaceId: workspace, channel: 'email', recipient: address, ...more });
  const pageAt = (token: string, init: RequestInit = {}) =>
    fetch(`${cuebird.url}/unsubscribe/${token}`, { redirect: 'manual', ...init });
  const press = (token: string, fields: Record<string, string>) =>
    pageAt(token, { method: 'POST', body: new URLSearchParams(fields) });
  const wordsOf = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  const read = async (token: string) => wordsOf(await (await pageAt(token)).text());
  const list = async (
    reason: string,
    { covers = 'everything', by = null as string | null, ends = null as string | null } = {},
  ) => {
    const { rows } = await database.query<{ id: string }>(
      `insert into suppressions (workspace_id, channel, recipient, reason, covers, created_by, ends_at, created_at)
       values ($1, 'email', 'ann@example.com', $2, $3, $4, $5, '2026-03-02T12:00:00Z') returning id`,
      [workspace, reason, covers, by, ends],
    );
    return rows[0]?.id ?? '';
  };
  const listed = async () =>
    (await database.query('select reason, covers from suppressions where workspace_id = $1', [workspace])).rows;
  const jobs = async () =>
    (
      await database.query<{ id: string; type: string; scheduled_for: string }>(
        "select id, type, scheduled_for from jobs where workspace_id = $1 and type = 'preferences_link'",
        [workspace],
      )
    ).rows;
  /** Asks for a link, and waits for its job to end. */
  async function askFor(token: string) {
    const answer = await press(token, { send: 'link' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/unsubscribe/${token}?sent`]);
    return untilFound(cuebird.databaseUrl, async () => {
      const { rows } = await database.query(
        `select j.id, d.status, d.reason_code, d.recipient, j.scheduled_for from jobs j join deliveries d on d.job_id = j.id
          where j.workspace_id = $1 and d.completed_at is not null`,
        [workspace],
      );
      return rows[0] ?? null;
    });
  }
  const inbox = async () => (await dana.call('GET', '/api/inbox?channel=email', { workspace })).json.data;

  it('is sent to the address itself, works for an hour from then, and as often as they like', async () => {
    const sent = await askFor(forwarded);
    expect(sent).toMatchObject({ status: 'accepted', recipient: address });
    expect(await read(`${forwarded}?sent`)).toContain(`A link is on its way to ${address}.`);
    const [mail] = await inbox();
    expect(mail.subject).toBe('What Elm Street sends you');
    const [, token = ''] = /\/unsubscribe\/([\w-]+)/.exec(mail.text) ?? [];
    expect(tokens.open(token)).toEqual({
      stops: 'messages',
      workspaceId: workspace,
      channel: 'email',
      recipient: address,
      topicId: null,
      freshUntil: Temporal.Instant.fromEpochMilliseconds(Date.parse(sent.scheduled_for) + 3_600_000),
    });
    const id = await list('unsubscribed', { covers: 'optional' });
    expect((await press(token, { undo: id })).status).toBe(303);
    const pause = await list('paused', { covers: 'optional', ends: '2099-01-01T00:00:00Z' });
    expect((await press(token, { undo: pause })).status).toBe(303);
    expect(await listed()).toEqual([]);
  });

  it('is sent by no visit of a page, whoever or whatever opens it', async () => {
    for (const method of ['GET', 'HEAD'])
      for (const token of [forwarded, fresh])
        for (const query of ['', '?send=link', '?sent']) await pageAt(`${token}${query}`, { method });
    expect(await jobs()).toEqual([]);
  });

  it('takes back what the person left or paused long ago, and no link of a message does', async () => {
    for (const covers of ['everything', 'optional']) {
      const id = await list('unsubscribed', { covers });
      await press(forwarded, { undo: id });
      expect(await listed()).toHaveLength(1);
      expect(await read(forwarded)).toContain('To get messages again, have a link sent to you, or ask Elm Street.');
      await press(fresh, { undo: id });
      expect(await listed()).toEqual([]);
    }
    const { rows } = await database.query(
      `select kind, method, covers from consents where workspace_id = $1 order by covers`,
      [workspace],
    );
    // They had agreed to nothing, and taking a "no" back is no consent.
    expect(rows).toEqual([
      { kind: 'lifted', method: 'page', covers: 'everything' },
      { kind: 'lifted', method: 'page', covers: 'optional' },
    ]);
  });

  it('ends a pause sooner that is older than a day', async () => {
    await list('paused', { covers: 'optional', ends: '2099-01-01T00:00:00Z' });
    const day = Temporal.Now.plainDateISO('UTC').add({ days: 5 }).toString();
    expect(await read(forwarded)).toContain('To get messages sooner, have a link sent to you.');
    expect((await press(forwarded, { pause_until: day })).status).toBe(400);
    expect((await press(fresh, { pause_until: day })).status).toBe(303);
    expect(await read(forwarded)).toContain(`until ${dayInWords(day)}`);
  });

  it.each(['stopped', 'bounced', 'complained', 'manual'])(
    'never takes back what is on the list as %s',
    async (reason) => {
      const id = await list(reason);
      await press(fresh, { undo: id });
      expect(await listed()).toEqual([{ reason, covers: 'everything' }]);
      expect(await askFor(forwarded)).toMatchObject({ status: 'skipped', reason_code: 'suppressed' });
      expect(await read(forwarded)).not.toContain('Send me a link');
    },
  );

  it('takes back nothing that a member has entered, or of another address, channel or workspace', async () => {
    await list('unsubscribed', { covers: 'optional', by: dana.userId });
    const elsewhere = await dana.createWorkspace('Oak Street');
    await database.query(
      `insert into suppressions (workspace_id, channel, recipient, reason, covers) values
         ($1, 'email', 'bea@example.com', 'unsubscribed', 'optional'), ($1, 'sms', 'ann@example.com', 'unsubscribed', 'optional'),
         ($2, 'email', 'ann@example.com', 'unsubscribed', 'optional')`,
      [workspace, elsewhere],
    );
    const { rows } = await database.query('select id from suppressions where workspace_id = any ($1)', [
      [workspace, elsewhere],
    ]);
    for (const { id } of rows) await press(fresh, { undo: id });
    const left = await database.query('select from suppressions where workspace_id = any ($1)', [
      [workspace, elsewhere],
    ]);
    expect([rows.length, left.rows.length]).toEqual([4, 4]);
  });

  it('does after its hour what the link of a message does', async () => {
    const over = linkTo({ freshUntil: Temporal.Now.instant().subtract({ seconds: 1 }) });
    const id = await list('unsubscribed', { covers: 'optional' });
    await press(over, { undo: id });
    expect(await listed()).toHaveLength(1);
    const page = await read(over);
    expect(page).toContain('The link that was sent to you worked for an hour.');
    expect(page).toContain('Send me a link');
    expect(await read(fresh)).toContain('For 30 minutes more, you can also take back here');
    expect(await read(fresh)).not.toContain('Send me a link');
  });

  it('reaches who has unsubscribed from everything, over which nothing else comes', async () => {
    await list('unsubscribed');
    expect(await askFor(forwarded)).toMatchObject({ status: 'accepted' });
  });

  it('is sent again by no member', async () => {
    const { id } = await askFor(forwarded);
    await database.query("update jobs set status = 'failed' where id = $1", [id]);
    const { status, json } = await dana.call('POST', `/api/jobs/${id}/retry`, { workspace });
    expect([status, json.error.message]).toEqual([
      409,
      'A link to preferences is not retried: its recipient asks for another one',
    ]);
    expect(await jobs()).toHaveLength(1);
  });

  it('is a line of the ledger that shows the link to no member, and is counted as no run and by no plan', async () => {
    await database.query("update workspaces set subscription_tier = 'free' where id = $1", [workspace]);
    const { id } = await askFor(forwarded);
    const { json: job } = await dana.call('GET', `/api/jobs/${id}`, { workspace });
    expect(job).toMatchObject({ type: 'preferences_link', name: 'Link to preferences', reminder_id: null });
    const asked = `channel=email&recipient=${encodeURIComponent(address)}`;
    const { json: shown } = await dana.call('GET', `/api/jobs/${id}/message?${asked}`, { workspace });
    expect(shown).toMatchObject({ certainty: 'sent' });
    for (const one of [job, shown]) expect(JSON.stringify(one)).not.toMatch(/\/unsubscribe\/[\w-]{20}/);
    expect(JSON.stringify(shown)).toContain('(a link that only its recipient gets)');
    const { json: counts } = await dana.call('GET', '/api/jobs/counts', { workspace });
    expect(counts).toMatchObject({ completed: 0 });
    const listedWith = async (tests: string) =>
      (await dana.call('GET', `/api/jobs?tests=${tests}`, { workspace })).json.data.length;
    expect([await listedWith('true'), await listedWith('false'), await listedWith('only')]).toEqual([1, 0, 0]);
    const { rows } = await database.query(
      'select coalesce(sum(occurrences), 0)::int as used from monthly_usage where workspace_id = $1',
      [workspace],
    );
    expect(rows).toEqual([{ used: 0 }]);
  });

  describe('shows what no link of a message shows:', () => {
    /** A run that was sent, of a reminder or else of the API. */
    async function ran(
      name: string,
      more: {
        to?: string;
        channel?: string;
        daysAgo?: number;
        status?: string;
        subject?: string;
        topic?: string;
        in?: string;
      } = {},
    ) {
      const {
        to = 'ann@example.com',
        channel = 'email',
        daysAgo = 1,
        status = 'accepted',
        subject = name,
        topic,
      } = more;
      const at = new Date(Date.now() - daysAgo * 86_400_000);
      await database.query(
        `with run as (
           insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, payload)
           values ($1, 'Secret name', 'api_notification', 'completed', $2, $2, $2, $3) returning id)
         insert into deliveries (job_id, workspace_id, scheduled_for, channel, recipient, status, attempts, last_attempt_at, completed_at)
         select id, $1, $2, $4, $5, $6, 1, $2, $2 from run`,
        [
          more.in ?? workspace,
          at,
          JSON.stringify({
            recipients: [to],
            content: { subject, message: 'Hi', ...(topic !== undefined && { topic_id: topic }) },
          }),
          channel,
          to,
          status,
        ],
      );
    }
    const sectionOf = async (token: string) => {
      const text = await (await pageAt(token)).text();
      return wordsOf(/<h2 id="sent">.*?<\/section>/s.exec(text)?.[0] ?? '');
    };
    const addContact = (fields: object) =>
      dana.call('POST', '/api/contacts', {
        workspace,
        body: { name: 'Ann', email: 'ann@example.com', phone: '+491511234678', ...fields },
      });
    const addReminder = (channels: string[], mode: 'every' | 'in_order') =>
      dana.call('POST', '/api/reminders', {
        workspace,
        body: {
          name: 'Rent',
          status: 'active',
          schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC' },
          content: { subject: 'Rent', message: 'Hi', recipients: ['bea@example.com'] },
          metadata: { channels, channel_mode: mode },
        },
      });

    it('what was sent to this address in 90 days, by topic or subject, when and how it ended', async () => {
      const { json: topic } = await dana.call('POST', '/api/topics', { workspace, body: { name: 'Events' } });
      await ran('Rent of {{ month }} for {{name}}', { daysAgo: 3 });
      await ran('Party', { topic: topic.id, status: 'skipped', daysAgo: 2 });
      await ran('Keys', { to: 'Ann@EXAMPLE.com', status: 'delivered' });
      await ran('Too old', { daysAgo: 91 });
      await ran('By SMS', { channel: 'sms' });
      await ran('To Bea', { to: 'bea@example.com' });
      await ran('Elsewhere', { in: await dana.createWorkspace('Oak Street') });
      const words = await sectionOf(fresh);
      expect(words).toMatch(/Keys .*Delivered .*Events .*Not sent .*Rent of … for … .*Sent/);
      expect(words).not.toMatch(/Too old|By SMS|To Bea|Elsewhere|Secret name|Party/);
      expect(await sectionOf(forwarded)).toBe('');
      expect(await sectionOf(linkTo({ freshUntil: Temporal.Now.instant().subtract({ seconds: 1 }) }))).toBe('');
    });

    it('twenty of them a page, each once', async () => {
      for (let n = 0; n < 45; n++) await ran(`Message ${n};`);
      const seen: string[] = [];
      let path: string | undefined = fresh;
      let pages = 0;
      while (path !== undefined) {
        const text: string = await (await pageAt(path)).text();
        seen.push(...(text.match(/Message \d+;/g) ?? []));
        const [, next]: (string | undefined)[] = /href="\/unsubscribe\/([^"#]+)#sent">Earlier/.exec(text) ?? [];
        path = next;
        pages += 1;
      }
      expect([pages, seen.length, new Set(seen).size, seen[0]]).toEqual([3, 45, 45, 'Message 44;']);
      for (const before of ['none', "' or 1=1", ''])
        expect((await pageAt(`${fresh}?before=${encodeURIComponent(before)}`)).status).toBe(200);
    });

    it('further addresses of the person in part, to each of which a link of its own is sent', async () => {
      await addContact({});
      await addReminder(['email', 'sms'], 'every');
      expect(await read(fresh)).toContain('Your other addresses');
      expect(await read(fresh)).toContain('+49…678');
      expect(await read(fresh)).not.toContain('1511234');
      for (const token of [forwarded, linkTo({ recipient: 'bea@example.com' })]) {
        expect(await read(token)).not.toContain('…678');
        expect((await press(token, { send: 'sms' })).status).toBe(400);
      }
      expect(await jobs()).toEqual([]);
      const answer = await press(fresh, { send: 'sms' });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/unsubscribe/${fresh}?sent=sms`]);
      expect(await read(`${fresh}?sent=sms`)).toContain('A link is on its way to your number, by SMS.');
      const sms = await untilFound(
        cuebird.databaseUrl,
        async () => (await dana.call('GET', '/api/inbox?channel=sms', { workspace })).json.data[0] ?? null,
      );
      const [, token = ''] = /\/unsubscribe\/([\w-]+)/.exec(sms.text) ?? [];
      expect(tokens.open(token)).toMatchObject({ channel: 'sms', recipient: '+491511234678' });
      // It has proved the number, and shows what was sent there alone.
      await ran('By SMS', { channel: 'sms', to: '+491511234678' });
      expect(await sectionOf(token)).toContain('By SMS');
      // One that the person does not have.
      await database.query('update contacts set phone = null where workspace_id = $1', [workspace]);
      expect((await press(fresh, { send: 'sms' })).status).toBe(400);
    });

    it('no link to an address that the page does not offer', async () => {
      await addContact({});
      await addReminder(['email'], 'every');
      expect(await read(fresh)).not.toContain('Your other addresses');
      for (const send of ['sms', 'whatsapp', 'email']) expect((await press(fresh, { send })).status).toBe(400);
      await addReminder(['email', 'sms'], 'every');
      for (const send of ['whatsapp', 'email']) expect((await press(fresh, { send })).status).toBe(400);
      expect(await jobs()).toEqual([]);
      expect((await press(fresh, { send: 'sms' })).status).toBe(303);
      expect(await jobs()).toHaveLength(1);
    });

    it('the channel that is tried first, among those that reminders try in order and the person has', async () => {
      await addContact({});
      await addReminder(['email', 'sms'], 'every');
      expect(await read(fresh)).not.toContain('How messages reach you');
      await addReminder(['email', 'sms', 'webhook'], 'in_order');
      expect(await read(fresh)).toMatch(/tried first\. Email SMS No preference/);
      const preferred = async () =>
        (await database.query('select preferred_channel as channel from contacts where workspace_id = $1', [workspace]))
          .rows[0].channel;
      for (const [prefer, stored] of [
        ['sms', 'sms'],
        ['none', null],
        ['email', 'email'],
      ] as const) {
        expect((await press(fresh, { prefer })).status).toBe(303);
        expect(await preferred()).toBe(stored);
      }
      for (const [token, prefer] of [
        [fresh, 'whatsapp'],
        [fresh, 'push'],
        [forwarded, 'sms'],
      ] as const)
        expect((await press(token, { prefer })).status).toBe(400);
      expect(await preferred()).toBe('email');
      expect(await read(forwarded)).not.toContain('How messages reach you');
    });
  });

  it('goes to no address of a channel that is no person’s, and stops no monthly report', async () => {
    const hook = tokens.seal({
      stops: 'messages',
      workspaceId: workspace,
      channel: 'webhook',
      recipient: 'https://hooks.example.com/',
    });
    const report = tokens.seal({
      stops: 'monthly_report',
      workspaceId: workspace,
      recipient: address,
      id: '019a0000-0000-7000-8000-000000000000',
    });
    for (const token of [hook, report]) expect((await press(token, { send: 'link' })).status).toBe(400);
    expect(await jobs()).toEqual([]);
  });
});

it('refuses on a page with the name of its sender, where the plan includes that', async () => {
  const cuebird = await startTestCuebird();
  const workspaceId = await (await cuebird.signUp('Dana')).createWorkspace('Elm & Sons');
  const token = tokens.seal({ stops: 'messages', workspaceId, channel: 'email', recipient: address });
  const refusal = async (of: string) => {
    const answer = await fetch(`${cuebird.url}/unsubscribe/${of}`, {
      method: 'POST',
      body: new URLSearchParams({ no: '' }),
    });
    return [answer.status, /<p class="sender">.*?<strong>(.*?)<\/strong>/s.exec(await answer.text())?.[1]];
  };
  await cuebird.owner.query("update workspaces set subscription_tier = 'enterprise' where id = $1", [workspaceId]);
  expect(await refusal(token)).toEqual([400, 'Elm &amp; Sons']);
  expect(await refusal('none')).toEqual([400, 'Cuebird']);
  await cuebird.owner.query("update workspaces set subscription_tier = 'free' where id = $1", [workspaceId]);
  expect(await refusal(token)).toEqual([400, 'Cuebird']);
  await cuebird.stop();
});

describe('a flood of requests for links', () => {
  let cuebird: TestCuebird;
  let workspaceId: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ hasLimits: true });
    workspaceId = await (await cuebird.signUp('Dana')).createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());
  const ask = (recipient: string, channel: 'email' | 'sms' | 'whatsapp' = 'email') =>
    fetch(`${cuebird.url}/unsubscribe/${tokens.seal({ stops: 'messages', workspaceId, channel, recipient })}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ send: 'link' }),
    });
  const sent = async () => {
    const { rows } = await cuebird.owner.query<{ to: string }>(
      "select payload -> 'recipients' ->> 0 as to from jobs where workspace_id = $1 order by id",
      [workspaceId],
    );
    return rows.map(({ to }) => to);
  };

  it('sends three to an address in an hour, in whatever spelling, and answers all the same', async () => {
    const spelled = ['ann@example.com', 'Ann@Example.com', 'ANN@example.com', 'ann@example.com', 'Ann@example.com'];
    const answers = [];
    for (const recipient of spelled) {
      const answer = await ask(recipient);
      answers.push([answer.status, answer.headers.get('location')?.split('?')[1]]);
    }
    expect(answers).toEqual(spelled.map(() => [303, 'sent']));
    expect(await sent()).toEqual(spelled.slice(0, 3));
  });

  it('sends a hundred to phones in a day, over SMS and WhatsApp together, and mails beyond them', async () => {
    await ask('+4915112345678', 'sms');
    await cuebird.owner.query("update request_counts set used = 98 where bucket = 'requested-links.phones'");
    const before = (await sent()).length;
    for (const [recipient, channel] of [
      ['+4915112345670', 'whatsapp'],
      ['+4915112345671', 'sms'],
      ['+4915112345672', 'whatsapp'],
      ['eva@example.com', 'email'],
    ] as const)
      expect((await ask(recipient, channel)).status).toBe(303);
    expect((await sent()).slice(before)).toEqual(['+4915112345670', '+4915112345671', 'eva@example.com']);
  });

  it('stops at what a workspace sends in an hour, unseen, and at what a network may ask for, seen', async () => {
    const { owner } = cuebird;
    await owner.query("update request_counts set used = 299 where bucket = 'requested-links.workspace'");
    const before = (await sent()).length;
    for (const recipient of ['bea@example.com', 'cem@example.com']) expect((await ask(recipient)).status).toBe(303);
    expect((await sent()).slice(before)).toEqual(['bea@example.com']);
    await owner.query("update request_counts set used = 20 where bucket = 'requested-links.network'");
    const refused = await ask('dov@example.com');
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.closeTo(3_600, -2)]);
  });
});
