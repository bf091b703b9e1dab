import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Audience } from '#contract/audience.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addContact, addWebhookChannel, setSendingHours, suppress } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

describe('a reminder with an audience', { timeout: 30_000 }, () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture();
    workspace = await fixture.createWorkspace();
    // People are called at the channel's own URL, named in the body.
    await addHook(workspace);
  });
  afterEach(() => fixture.close());

  const addHook = (of: TestWorkspace) =>
    fixture.inWorkspace(of, ({ db, workspaceId }) =>
      sql`insert into channels (workspace_id, name, type, configuration)
          values (${workspaceId}, 'Hook', 'webhook', '{"url": "https://relay.example.com/"}')`.execute(db),
    );

  const write = (
    audience: Audience,
    { recipients = [] as string[], ...changes }: Record<string, unknown> & { recipients?: string[] } = {},
  ) =>
    writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hello {{recipient_name}}', recipients },
      metadata: { channels: ['webhook'], audience },
      ...changes,
    });
  const contact = async ({
    tags = [] as string[],
    ...known
  }: Omit<Parameters<typeof addContact>[1], 'workspace'> & { tags?: string[] }) => {
    const id = await addContact(fixture, { workspace, ...known });
    await tag(id, tags);
    return id;
  };
  const tag = (id: string, tags: string[]) =>
    fixture.inWorkspace(workspace, ({ db }) => sql`update contacts set tags = ${tags} where id = ${id}`.execute(db));
  const group = async (name: string, conditions: object[]) => {
    const { rows } = await fixture.inWorkspace(workspace, ({ db, workspaceId }) =>
      sql<{ id: string }>`insert into contact_groups (workspace_id, name, rule)
        values (${workspaceId}, ${name}, ${JSON.stringify({ match: 'all', conditions })}::jsonb) returning id`.execute(
        db,
      ),
    );
    return rows[0]?.id ?? '';
  };
  const deleteContact = (id: string) =>
    fixture.inWorkspace(workspace, ({ db }) => sql`delete from contacts where id = ${id}`.execute(db));
  const sent = () =>
    fixture
      .messages()
      .map(({ recipient }) => recipient)
      .sort();
  const ended = () =>
    fixture.jobsWhere(workspace, ([job]) => job !== undefined && !['pending', 'running'].includes(job.status));
  const run = async () => {
    await fixture.start();
    fixture.clock.advance({ hours: 1, seconds: 1 });
    return (await ended())[0];
  };
  const ledger = async () =>
    (await fixture.deliveries(workspace)).map(({ recipient, status, reason, through }) => [
      recipient,
      status,
      reason,
      through,
    ]);
  const inElm = [{ test: 'is', variable: 'building', value: '12 elm' }];

  it('is sent to those who belong to it when it is sent, whenever they came or left', async () => {
    const stays = await contact({ email: 'stays@example.com', tags: ['VIP'] });
    const leaves = await contact({ email: 'leaves@example.com', tags: ['vip'] });
    const deleted = await contact({ email: 'deleted@example.com', tags: ['vip'] });
    const comes = await contact({ email: 'comes@example.com' });
    await write({ tags: ['vip'] });
    await tag(leaves, []);
    await tag(comes, ['Vip']);
    await deleteContact(deleted);
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(sent()).toEqual(['comes@example.com', 'stays@example.com']);
    expect((await fixture.deliveries(workspace)).map(({ contact_id: id }) => id).sort(byText)).toEqual(
      [comes, stays].sort(),
    );
  });

  it('reaches each person once, in whatever ways they belong to it, and the ledger says the most particular one', async () => {
    const elm = await group('Elm', inElm);
    await contact({ name: 'Anna', email: 'anna@example.com', tags: ['vip'], variables: { Building: '12 Elm' } });
    await contact({ name: 'Ben', email: 'ben@example.com', phone: '+4915112345678', tags: ['VIP'] });
    const cleo = await contact({ name: 'Cleo', email: 'cleo@example.com', tags: ['vip'] });
    await contact({ name: 'Dan', email: 'dan@example.com' });
    await contact({ name: 'Eve', phone: '+4915155555555' });
    await write(
      { everyone: true, groups: [elm], tags: ['vip'], contacts: [cleo] },
      { recipients: ['DAN@example.com', '+49 151 55555555'] },
    );
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(await ledger()).toEqual(
      [
        ['+4915155555555', 'accepted', null, null],
        ['DAN@example.com', 'accepted', null, null],
        ['anna@example.com', 'accepted', null, 'group Elm'],
        ['ben@example.com', 'accepted', null, 'tag vip'],
        ['cleo@example.com', 'accepted', null, 'contact'],
      ].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    expect(sent()).toHaveLength(5);
  });

  it('sends over each channel at the address that fits, and says of whom it has none', async () => {
    await contact({ name: 'Anna Schmidt', email: 'anna@example.com', tags: ['vip'] });
    await contact({ name: 'Ben', phone: '+4915112345678', tags: ['vip'] });
    await contact({ name: 'Twin', tags: ['vip'] });
    await contact({ name: 'Twin', tags: ['vip'] });
    await write({ tags: ['vip'] }, { metadata: { channels: ['sms'], audience: { tags: ['vip'] } } });
    await run();
    const rows = (await fixture.deliveries(workspace)).filter(({ status }) => status === 'skipped');
    expect(rows.map(({ recipient_name: name, reason }) => [name, reason]).sort(byText)).toEqual([
      ['Anna Schmidt', 'Anna Schmidt has no phone number'],
      ['Twin', 'Twin has no phone number'],
      ['Twin', 'Twin has no phone number'],
    ]);
    expect(
      (await fixture.deliveries(workspace)).filter(({ recipient }) => recipient === '+4915112345678'),
    ).toHaveLength(1);
  });

  it('leaves out the suppressed and follows sending hours', async () => {
    await contact({ email: 'anna@example.com' });
    await contact({ email: 'ben@example.com' });
    await suppress(fixture, { workspace, channel: 'webhook', recipient: 'ben@example.com' });
    await write({ everyone: true });
    await run();
    expect(sent()).toEqual(['anna@example.com']);
    expect(await ledger()).toContainEqual([
      'ben@example.com',
      'skipped',
      'The recipient is on the suppression list',
      'everyone',
    ]);
  });

  it('keeps its people over the night, and leaves out who has left when the hours open', async () => {
    const leaves = await contact({ email: 'leaves@example.com' });
    await contact({ email: 'stays@example.com' });
    await setSendingHours(fixture, { workspace, from: '12:00', to: '20:00', timezone: 'UTC' });
    await write({ everyone: true });
    await fixture.start();
    fixture.clock.advance({ hours: 1, seconds: 1 });
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.length === 2 && rows.every(({ status }) => status === 'waiting'),
    );
    await deleteContact(leaves);
    await contact({ email: 'late@example.com' });
    fixture.clock.advance({ hours: 3 });
    await ended();
    expect(sent()).toEqual(['stays@example.com']);
    expect((await fixture.deliveries(workspace))[0]?.reason_code).toBe('no_longer_in_audience');
    expect(await ledger()).toEqual([
      ['leaves@example.com', 'skipped', 'No longer among the recipients', 'everyone'],
      ['stays@example.com', 'accepted', null, 'everyone'],
    ]);
  });

  it('retries those of the occurrence only, at the address that they have by then', async () => {
    const anna = await contact({ email: 'anna@example.com' });
    await contact({ email: 'ben@example.com' });
    fixture.receiver = (request) => answerOf(String(request.body).includes('anna@') ? 404 : 200, 'no');
    await write({ everyone: true });
    const job = await run();
    expect(job).toMatchObject({ status: 'failed' });
    await contact({ email: 'late@example.com' });
    await fixture.inWorkspace(workspace, ({ db }) =>
      sql`update contacts set email = 'anna@new.example', email_key = 'anna@new.example' where id = ${anna}`.execute(
        db,
      ),
    );
    fixture.receiver = () => answerOf(200, 'thanks');
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(sent()).toEqual(['anna@example.com', 'anna@new.example', 'ben@example.com']);
    expect(await ledger()).toContainEqual([
      'anna@example.com',
      'skipped',
      'No longer among the recipients',
      'everyone',
    ]);
  });

  it('is asked for at once after the worker has looked for jobs that it had claimed already', async () => {
    await contact({ email: 'anna@example.com' });
    fixture.receiver = () => answerOf(404, 'no');
    await write({ everyone: true });
    let claimed: string | null = null;
    let isOneLate = false;
    const hears = Promise.withResolvers<void>();
    const foundNone = Promise.withResolvers<void>();
    await fixture.start({
      wrapStore: (store) => ({
        ...store,
        async awaitingAudience(request) {
          const found = await store.awaitingAudience(request);
          if (claimed === null || isOneLate) return (claimed ??= found);
          isOneLate = true;
          await hears.promise;
          return claimed;
        },
        async claim(request, decide) {
          const claim = await store.claim(request, decide);
          if (claim === null && request.order.by === 'audience') foundNone.resolve();
          return claim;
        },
      }),
    });
    fixture.clock.advance({ hours: 1, seconds: 1 });
    const [job] = await ended();
    hears.resolve();
    await foundNone.promise;
    fixture.receiver = () => answerOf(200, 'thanks');
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(sent()).toEqual(['anna@example.com', 'anna@example.com']);
  });

  it('is sent to who belongs to it at the retry of an occurrence that never began', async () => {
    await write({ tags: ['vip'] });
    const job = await run();
    expect(job).toMatchObject({
      status: 'cancelled',
      reason_code: 'empty_audience',
      error_message: 'Nobody belongs to the audience',
    });
    await contact({ email: 'late@example.com', tags: ['vip'] });
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(sent()).toEqual(['late@example.com']);
  });

  it('goes over channels in order: to the number only after the address has failed for good', async () => {
    await addWebhookChannel(fixture, workspace);
    await contact({ name: 'Anna', email: 'anna@example.com', phone: '+4915112345678' });
    await contact({ name: 'Ben', phone: '+4915155555555' });
    fixture.receiver = () => answerOf(404, 'no');
    await write(
      { everyone: true },
      { metadata: { channels: ['webhook', 'sms'], channel_mode: 'in_order', audience: { everyone: true } } },
    );
    await fixture.start();
    fixture.clock.advance({ hours: 1, seconds: 1 });
    await ended();
    const rows = (await fixture.deliveries(workspace)).map(({ channel, recipient, through }) => [
      channel,
      recipient,
      through,
    ]);
    expect(rows.sort(byText)).toEqual([
      ['sms', '+4915112345678', 'everyone'],
      ['sms', '+4915155555555', 'everyone'],
      ['webhook', '+4915155555555', 'everyone'],
      ['webhook', 'anna@example.com', 'everyone'],
    ]);
  });

  it('is refused for more than ten thousand people, and the owners are told', { timeout: 60_000 }, async () => {
    await fixture.inWorkspace(workspace, ({ db, workspaceId }) =>
      sql`insert into contacts (workspace_id, email, email_key)
          select ${workspaceId}, n || '@example.com', n || '@example.com' from generate_series(1, 10001) n`.execute(db),
    );
    await write({ everyone: true });
    const job = await run();
    expect(job).toMatchObject({
      status: 'cancelled',
      reason_code: 'audience_too_large',
      error_message: 'The audience has more than 10,000 people, the most of one occurrence',
    });
    expect(await fixture.deliveries(workspace)).toEqual([]);
    const { rows } = await fixture.database.engine.query('select reason from notices');
    expect(rows).toEqual([{ reason: job?.error_message }]);
  });

  it('makes nobody wait for a flood of distinct audiences: a claim asks for a few of one workspace, and each workspace gets its share', async () => {
    const flood = 60;
    const budget = { jobs: 5, ms: 1_000_000, people: 8, workspaces: 1 };
    for (let n = 0; n < 4; n += 1) await contact({ email: `flood${n}@example.com`, tags: ['flood'] });
    for (let n = 0; n < flood; n += 1) await write({ tags: ['flood', `tag ${n}`] });
    const other = await fixture.createWorkspace('Oak Lane');
    await addHook(other);
    const there = await addContact(fixture, { workspace: other, email: 'anna@example.com' });
    const toOthers = { workspace: other, metadata: { channels: ['webhook'], audience: { contacts: [there] } } };
    const plain = {
      workspace: other,
      content: { subject: 'Plain', message: 'Hello', recipients: ['ben@example.com'] },
    };
    await writeReminder(fixture, { ...toOthers, content: { subject: 'Rent', message: 'Hello', recipients: [] } });
    await writeReminder(fixture, plain);
    const claims: { ofFlood: number; ofOthers: number; people: number }[] = [];
    await fixture.start({
      limits: { audiences: budget },
      wrapStore: (store) => ({
        ...store,
        async claim(request, decide) {
          const claim = await store.claim(request, decide);
          const ofFlood =
            claim?.started.filter(({ run }) => run.job.workspace_id === workspace.workspaceId).length ?? 0;
          const ofOthers = (claim?.started.length ?? 0) - ofFlood;
          if (claim !== null) claims.push({ ofFlood, ofOthers, people: claim.rows.length });
          return claim;
        },
      }),
    });
    fixture.clock.advance({ hours: 1, seconds: 1 });
    const jobs = await fixture.jobsWhere(
      workspace,
      (found) => found.filter(({ status }) => status === 'completed').length === flood,
    );
    // The first claim serves what has no audience, and the other workspace's audience waits for one claim of the flood at the most.
    expect(claims[0]).toMatchObject({ ofFlood: 0, ofOthers: 1 });
    expect(claims.slice(1, 3).map(({ ofOthers }) => ofOthers)).toContain(1);
    for (const { people, ofFlood } of claims) {
      expect(people).toBeLessThan(budget.people + 4);
      expect(ofFlood).toBeLessThanOrEqual(budget.jobs);
    }
    // Each occurrence was sent once, and counts one attempt however often it was left.
    expect(jobs.filter(({ status }) => status === 'completed').map(({ attempts }) => attempts)).toEqual(
      Array(flood).fill(1),
    );
    expect(await fixture.deliveries(workspace)).toHaveLength(4 * flood);
    expect(fixture.requests).toHaveLength(4 * flood + 2);
  });

  it('is looked for when a job waits for it, and not after each message', async () => {
    const people = 60;
    await fixture.inWorkspace(workspace, ({ db, workspaceId }) =>
      sql`insert into contacts (workspace_id, email, email_key)
          select ${workspaceId}, n || '@example.com', n || '@example.com' from generate_series(1, ${people}::int) n`.execute(
        db,
      ),
    );
    await write({ everyone: true });
    let looks = 0;
    await fixture.start({
      limits: { slots: 4, slotsPerWorkspace: 4 },
      wrapStore: (store) => ({
        ...store,
        awaitingAudience(request) {
          looks += 1;
          return store.awaitingAudience(request);
        },
      }),
    });
    fixture.clock.advance({ hours: 1, seconds: 1 });
    await ended();
    expect(sent()).toHaveLength(people);
    expect(looks).toBeLessThan(people / 3);
  });

  it('reaches nobody of another workspace, whatever ids it names', async () => {
    const other = await fixture.createWorkspace('Oak Lane');
    const there = await addContact(fixture, { workspace: other, email: 'secret@example.com' });
    const { rows } = await fixture.inWorkspace(other, ({ db, workspaceId }) =>
      sql<{ id: string }>`insert into contact_groups (workspace_id, name, rule)
        values (${workspaceId}, 'All', '{"match": "any", "conditions": [{"test": "lacks_tag", "tag": "x"}]}') returning id`.execute(
        db,
      ),
    );
    const groups = [rows[0]?.id ?? ''];
    await expect(write({ contacts: [there], groups })).rejects.toMatchObject({
      fields: [{ path: 'metadata.audience.groups.0' }, { path: 'metadata.audience.contacts.0' }],
    });
    await contact({ email: 'anna@example.com' });
    await write({ everyone: true });
    // As if the check at the edge had been passed.
    await fixture.inWorkspace(workspace, ({ db }) =>
      sql`update reminders set metadata = jsonb_set(metadata::jsonb, '{audience}', ${JSON.stringify({ everyone: true, contacts: [there], groups })}::jsonb)::json`.execute(
        db,
      ),
    );
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(sent()).toEqual(['anna@example.com']);
  });
});

const byText = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : 1);
