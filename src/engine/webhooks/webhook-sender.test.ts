import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActivityType } from '#contract/webhooks.ts';
import { boundWaiting, forgetEnded, startWebhookSender, type WebhookSender } from '#engine/webhooks/webhook-sender.ts';
import { verifySignature } from '#features/events/hook-signature.ts';
import { revealSigningSecret } from '#features/signing-secret/signing-secret.service.ts';
import { type Choice, recordChoices } from '#features/consents/choices.service.ts';
import { notifyOwnersOfDisabled } from '#features/webhooks/disabled-webhooks.service.ts';
import {
  createWebhook,
  listWebhookActivities,
  listWebhooks,
  replayWebhookActivities,
  updateWebhook,
} from '#features/webhooks/webhooks.service.ts';
import { createLog } from '#platform/log.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';
import { openPubSub, type PubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { answerOf } from '#testing/receiver.ts';

const secrets = createSecretBox(TEST_ENCRYPTION_KEY);
const guard = createEgressGuard({ allow: [], exact: () => [], resolve: async () => ['93.184.215.14'] });
const ports = { guard, secrets };
const log = createLog('silent');

type Call = { url: string; id: string; body: string; request: HttpRequest; answered: number };

describe('events of a workspace for its webhooks', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let pubsub: PubSub;
  let senders: WebhookSender[];
  /** What has arrived, with the status of the answer. */
  let calls: Call[];
  let receiver: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;
  let mails: { to: string; subject: string; text: string }[];
  let isPaused: boolean;

  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    pubsub = await openPubSub(
      urlForRole(fixture.databaseUrl, { role: 'engine', encryptionKey: TEST_ENCRYPTION_KEY }),
      log,
    );
    [senders, calls, mails, isPaused] = [[], [], [], false];
    receiver = () => answerOf(200, 'thanks');
  });
  afterEach(async () => {
    await Promise.all(senders.map((sender) => sender.stop(0)));
    await pubsub.close();
    await fixture.close();
  });

  function start({ request = receive }: { request?: (asked: HttpRequest) => Promise<HttpAnswer> } = {}): WebhookSender {
    const { clock } = fixture;
    const pool = fixture.database.engine;
    const sendMail = async (mail: (typeof mails)[number]) => mails.push(mail) > 0;
    const sender = startWebhookSender({
      pool,
      pubsub,
      network: {
        http: { request, close: async () => {} },
        smtp: { send: async () => ({ kind: 'not_sent', reason: 'none' }), close: () => {} },
        now: clock.now,
      },
      secrets,
      clock,
      random: () => 0.5,
      log,
      isPaused: async () => isPaused,
      notifyOwners: (now) => notifyOwnersOfDisabled({ pool, log, url: 'https://cuebird.example', sendMail }, now),
    });
    senders.push(sender);
    return sender;
  }

  async function receive(request: HttpRequest): Promise<HttpAnswer> {
    const answer = await receiver(request);
    calls.push({
      url: request.url,
      id: headerOf(request, 'webhook-id'),
      body: String(request.body),
      request,
      answered: answer.kind === 'answer' ? answer.status : 0,
    });
    return answer;
  }

  const subscribe = (activity_types: ActivityType[], { of = workspace, url = 'https://hooks.example.com/in' } = {}) =>
    fixture.inWorkspace(of, (ctx) => createWebhook(ctx, { input: { url, activity_types }, ports }));
  const webhooksOf = async (of = workspace) => (await fixture.inWorkspace(of, listWebhooks)).data;
  const activitiesOf = async (id: string) =>
    (await fixture.inWorkspace(workspace, (ctx) => listWebhookActivities(ctx, { id, query: { limit: 200 } }))).data;

  const unsubscribed = (recipient: string): Choice => ({
    channel: 'email',
    recipient,
    covers: 'everything',
    topicId: null,
    entry: { reason: 'unsubscribed', createdBy: null },
    said: { kind: 'withdrawn', method: 'link' },
  });
  const unsubscribe = (recipient: string, of = workspace) =>
    fixture.inWorkspace(of, ({ db, workspaceId, now }) =>
      recordChoices({ db, workspaceId, actor: null, now: now.toString() }, [unsubscribed(recipient)]),
    );

  /** Lets time pass in steps that are shorter than any delay, until this holds. */
  async function passUntil(isReached: () => boolean | Promise<boolean>, step: Temporal.DurationLike = { seconds: 20 }) {
    for (let steps = 0; !(await isReached()); steps += 1) {
      if (steps > 3_000) throw new Error('It is never reached');
      fixture.clock.advance(step);
      await fixture.clock.untilAsleep(senders.length);
    }
  }

  it('are sent to others while all webhooks of a few workspaces hang', async () => {
    const hanging = Promise.withResolvers<HttpAnswer>();
    receiver = ({ url }) => (url.includes('hangs') ? hanging.promise : answerOf(200));
    const begun: string[] = [];
    const request = (asked: HttpRequest) => {
      begun.push(new URL(asked.url).host);
      return receive(asked);
    };
    const hostile = await Promise.all(Array.from({ length: 4 }, () => fixture.createWorkspace()));
    for (const of of hostile) {
      for (let n = 0; n < 10; n += 1)
        await subscribe(['recipient.unsubscribed'], { of, url: `https://hangs.example.com/${n}` });
      for (let n = 0; n < 8; n += 1) await unsubscribe(`erin${n}@example.com`, of);
    }
    start({ request });
    await fixture.clock.untilAsleep(1);
    const hanged = begun.length;
    expect(hanged).toBeLessThan(4 * 32);
    await subscribe(['recipient.unsubscribed']);
    await unsubscribe('erin@example.com');
    await expect.poll(() => calls.length).toBe(1);
    expect(begun.length).toBe(hanged + 1);
    hanging.resolve(answerOf(200));
    await passUntil(() => calls.length === 4 * 10 * 8 + 1);
  });

  it('are written with what they tell of: what was delivered, and how its job ended', async () => {
    const webhook = await subscribe(['delivery.accepted', 'delivery.failed', 'job.completed']);
    const reminder = await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    const [job] = await fixture.jobs(workspace);
    const [delivery] = await fixture.deliveries(workspace);
    const activities = (await activitiesOf(webhook.id)).map(({ body }) => JSON.parse(body));
    const common = { job_id: job?.id, reminder_id: reminder.id, name: 'Rent is due', is_test: false };
    expect(activities.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      {
        type: 'delivery.accepted',
        version: 1,
        timestamp: '2026-03-02T09:00:00.000Z',
        data: {
          ...common,
          delivery_id: delivery?.id,
          channel: 'webhook',
          recipient: 'https://hooks.example.com/a',
          status: 'accepted',
          reason: null,
          reason_code: null,
          reason_params: null,
          attempts: 1,
          scheduled_for: '2026-03-02T09:00:00.000Z',
        },
      },
      {
        type: 'job.completed',
        version: 1,
        timestamp: '2026-03-02T09:00:00.000Z',
        data: {
          ...common,
          status: 'completed',
          reason: null,
          reason_code: null,
          people: { total: 1, reached: 1, waiting: 0, failed: 0, skipped: 0, excluded: 0, unreached: [] },
          scheduled_for: '2026-03-02T09:00:00.000Z',
        },
      },
    ]);
  });

  it('are written from the first delivery after the webhook was created, also beside a workspace without one', async () => {
    const quiet = await fixture.createWorkspace();
    await Promise.all([workspace, quiet].map((of) => writeReminder(fixture, { workspace: of })));
    await fixture.start();
    const completed = async (count: number) => {
      for (const of of [workspace, quiet])
        await fixture.jobsWhere(of, (all) => all.filter((job) => job.status === 'completed').length === count);
    };
    fixture.clock.advance({ hours: 1 });
    await completed(1);
    const webhook = await subscribe(['delivery.accepted', 'job.completed']);
    fixture.clock.advance({ hours: 24 });
    await completed(2);
    expect((await activitiesOf(webhook.id)).map(({ type }) => type).toSorted()).toEqual([
      'delivery.accepted',
      'job.completed',
    ]);
    const { rows } = await fixture.database.engine.query('select from webhook_activities');
    expect(rows).toHaveLength(2);
  });

  it('say why as a code: of what was not sent, and of its job', async () => {
    const webhook = await subscribe(['delivery.skipped', 'job.cancelled']);
    await unsubscribe('ann@example.com');
    await writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients: ['ann@example.com'] },
      metadata: { channels: ['email'] },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'cancelled'));
    const activities = (await activitiesOf(webhook.id)).map(({ body }) => JSON.parse(body));
    const why = { reason: 'The recipient is on the suppression list', reason_code: 'suppressed' };
    expect(activities).toMatchObject([{ data: why }, { data: why }]);
  });

  it('are only those that were asked for, of that workspace alone, and none of what was rolled back', async () => {
    const other = await fixture.createWorkspace('Oak Lane');
    const here = await subscribe(['recipient.unsubscribed', 'job.failed']);
    await subscribe(['recipient.suppressed'], { of: other, url: 'https://hooks.example.com/other' });
    await unsubscribe('ann@example.com');
    await unsubscribe('ben@example.com', other);
    await expect(
      fixture.inWorkspace(workspace, async ({ db, workspaceId, now }) => {
        await recordChoices({ db, workspaceId, actor: null, now: now.toString() }, [unsubscribed('cleo@example.com')]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    start();
    await passUntil(() => calls.length > 0);
    await fixture.clock.untilAsleep(1);
    expect(calls.map(({ url, body }) => [url, JSON.parse(body).data.recipient])).toEqual([
      ['https://hooks.example.com/in', 'ann@example.com'],
    ]);
    expect(await activitiesOf(here.id)).toHaveLength(1);
  });

  it('reach a receiver that was down for an hour, all of them, each under one webhook-id and signed', async () => {
    const webhook = await subscribe(['recipient.unsubscribed']);
    const { secret } = await fixture.inWorkspace(workspace, (ctx) => revealSigningSecret(ctx, secrets));
    const downFrom = Temporal.Instant.from('2026-03-02T08:30:00Z');
    const downUntil = downFrom.add({ hours: 1 });
    const isDown = () =>
      Temporal.Instant.compare(fixture.clock.now(), downFrom) >= 0 &&
      Temporal.Instant.compare(fixture.clock.now(), downUntil) < 0;
    receiver = () => (isDown() ? answerOf(503, 'down') : answerOf(200, 'thanks'));
    start();
    await fixture.clock.untilAsleep(1);
    let reported = 0;
    // Five events every five minutes, before, during and after.
    const end = downUntil.add({ minutes: 30 });
    while (Temporal.Instant.compare(fixture.clock.now(), end) < 0) {
      for (let n = 0; n < 5; n += 1) await unsubscribe(`p${(reported += 1)}@example.com`);
      const next = fixture.clock.now().add({ minutes: 5 });
      await passUntil(() => Temporal.Instant.compare(fixture.clock.now(), next) >= 0);
    }
    await passUntil(async () => (await webhooksOf())[0]?.waiting === 0);
    const accepted = calls.filter(({ answered }) => answered === 200);
    expect(accepted).toHaveLength(reported);
    expect(new Set(accepted.map(({ body }) => JSON.parse(body).data.recipient)).size).toBe(reported);
    expect(new Set(calls.map(({ id }) => id)).size, 'each attempt names the id of its event').toBe(reported);
    expect(new Set(calls.map(({ id, body }) => `${id} ${body}`)).size, 'and says the same').toBe(reported);
    const refused = calls.filter(({ answered }) => answered === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length, 'while it is down it is asked a few times only').toBeLessThan(40);
    for (const { request } of calls) expect(isSigned(request, secret)).toBe(true);
    expect((await activitiesOf(webhook.id)).every(({ status }) => status === 'accepted')).toBe(true);
  });

  it('are sent again under the same id when the process is lost that was sending them', async () => {
    await subscribe(['recipient.unsubscribed']);
    await unsubscribe('ann@example.com');
    const begun: string[] = [];
    // It is killed before the answer: nothing of it is heard again.
    start({
      request: (request) => {
        begun.push(headerOf(request, 'webhook-id'));
        return new Promise(() => {});
      },
    });
    await passUntil(() => begun.length === 1);
    start();
    await passUntil(() => calls.length > 0);
    expect(calls.map(({ id }) => id)).toEqual(begun);
    await passUntil(async () => (await webhooksOf())[0]?.last?.outcome === 'accepted');
  });

  it('wait while deliveries are paused, and while their workspace is suspended', async () => {
    await subscribe(['recipient.unsubscribed']);
    isPaused = true;
    await unsubscribe('ann@example.com');
    start();
    await passFor({ minutes: 5 });
    expect(calls).toEqual([]);
    await setSuspended("'2026-03-02T08:00:00Z'");
    isPaused = false;
    await passFor({ minutes: 5 });
    expect(calls).toEqual([]);
    await setSuspended('null');
    await passUntil(() => calls.length === 1);
  });

  it('end with a webhook that accepts nothing for three days: it is disabled, its owners are told once, and can enable it', async () => {
    const { id } = await subscribe(['recipient.unsubscribed']);
    receiver = () => answerOf(500, 'no');
    start();
    await fixture.clock.untilAsleep(1);
    await unsubscribe('first@example.com');
    await passFor({ hours: 30 }, { minutes: 10 });
    await unsubscribe('second@example.com');
    await passFor({ hours: 40 }, { minutes: 10 });
    expect(await webhooksOf()).toMatchObject([{ state: 'active', failing_since: expect.any(String) }]);
    await unsubscribe('third@example.com');
    await passUntil(async () => (await webhooksOf())[0]?.state === 'disabled', { minutes: 10 });
    await passFor({ hours: 2 }, { minutes: 10 });
    expect(mails.map(({ subject }) => subject)).toEqual(['Elm Street: a webhook was disabled']);
    expect(mails[0]?.text).toContain('Its last answer: HTTP 500: no');
    const owner = await connectOwner(fixture.databaseUrl);
    const acts = await owner.query(
      "select count(*)::integer as count from audit_log where action = 'webhook.disabled' and target = $1",
      [id],
    );
    await owner.end();
    expect(acts.rows).toEqual([{ count: 1 }]);
    await unsubscribe('unheard@example.com');
    expect(await activitiesOf(id), 'nothing is recorded while it is disabled').toHaveLength(3);
    receiver = () => answerOf(200, 'thanks');
    await fixture.inWorkspace(workspace, (ctx) => updateWebhook(ctx, { id, changes: { is_active: true }, ports }));
    calls = [];
    await fixture.inWorkspace(workspace, (ctx) =>
      replayWebhookActivities(ctx, {
        id,
        replay: { from: '2026-03-02T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' },
      }),
    );
    await passUntil(async () => (await activitiesOf(id)).every(({ status }) => status === 'accepted'));
    expect(calls.map(({ body }) => JSON.parse(body).data.recipient).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'first@example.com',
      'second@example.com',
      'third@example.com',
    ]);
    expect(await webhooksOf()).toMatchObject([{ state: 'active', failing_since: null }]);
  });

  it('are not sent to an address that the egress guard refuses at that moment', async () => {
    const { id } = await subscribe(['recipient.unsubscribed']);
    receiver = () => ({ kind: 'refused', reason: '10.0.0.1 is private' });
    await unsubscribe('ann@example.com');
    start();
    await passUntil(async () => (await activitiesOf(id))[0]?.status === 'failed');
    expect(await activitiesOf(id)).toMatchObject([{ attempts: 1, answer: 'Not sent: 10.0.0.1 is private' }]);
  });

  it('are bounded: the oldest beyond 20,000 are dropped, which the webhook says, and the log keeps 2,000', async () => {
    const { id } = await subscribe(['recipient.unsubscribed']);
    const owner = await connectOwner(fixture.databaseUrl);
    await owner.query(
      `insert into webhook_activities (workspace_id, webhook_id, type, body, occurred_at, next_attempt_at, expires_at)
       select $1, $2, 'recipient.unsubscribed', '{}', $3::timestamptz + n * interval '1 ms', $3, $3::timestamptz + interval '3 days'
         from generate_series(1, 20005) as n`,
      [workspace.workspaceId, id, fixture.clock.now().toString()],
    );
    const deps = { pool: fixture.database.engine, clock: fixture.clock, log };
    await boundWaiting(deps);
    expect(await webhooksOf()).toMatchObject([{ dropped: { count: 5, at: '2026-03-02T08:00:00.000Z' } }]);
    await boundWaiting(deps);
    expect(await webhooksOf()).toMatchObject([{ dropped: { count: 5 } }]);
    fixture.clock.advance({ hours: 73 });
    await boundWaiting(deps);
    await forgetEnded(deps);
    const { rows } = await owner.query(
      'select status, count(*)::integer as count from webhook_activities group by status order by status',
    );
    await owner.end();
    expect(rows).toEqual([{ status: 'failed', count: 2_000 }]);
  });

  async function setSuspended(value: string): Promise<void> {
    const owner = await connectOwner(fixture.databaseUrl);
    await owner.query(`update workspaces set suspended_at = ${value} where id = $1`, [workspace.workspaceId]);
    await owner.end();
  }

  async function passFor(duration: Temporal.DurationLike, step?: Temporal.DurationLike): Promise<void> {
    const end = fixture.clock.now().add(duration);
    await passUntil(() => Temporal.Instant.compare(fixture.clock.now(), end) >= 0, step);
  }
});

function headerOf({ headers }: HttpRequest, name: string): string {
  return headers[headers.indexOf(name) + 1] ?? '';
}

const isSigned = (request: HttpRequest, secret: string) =>
  'key' in
  verifySignature({
    headers: new Headers(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name): [string, string] => [
        name,
        headerOf(request, name),
      ]),
    ),
    body: Buffer.from(String(request.body)),
    secret,
    now: Temporal.Instant.fromEpochMilliseconds(Number(headerOf(request, 'webhook-timestamp')) * 1_000),
  });
