import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '#engine/claiming/dispatcher.ts';
import { connectOwner } from '#testing/owner.ts';
import { createInstallation, type TestInstallation } from '#testing/process.ts';
import { type Sink, type SinkCall, startSink } from '#testing/sink.ts';
import { writeReminders } from './faults/due-reminders.ts';

/** More than one claim takes. */
const recipients = 1_400;
/** More attempts of one workspace than these are never under way. */
const slots = defaultLimits.slotsPerWorkspace;

let installation: TestInstallation;
let sink: Sink;

beforeAll(async () => {
  [installation, sink] = await Promise.all([createInstallation(), startSink({ answerAfterMs: 200 })]);
});

afterAll(async () => {
  await installation.remove();
  await sink.close();
});

describe('a server that is killed while it sends', () => {
  it('serves every recipient all the same, and twice only those whose answer it did not live to hear', async () => {
    await writeDue();

    const killed = installation.start();
    await sink.received(300);
    killed.signal('SIGKILL');
    const unanswered = sink.unanswered();
    await killed.ended;
    const atKill = await look();

    const startedAt = Date.now();
    const next = installation.start();
    await next.ready;
    await allJobsEnded();
    const secondsToRecover = (Date.now() - startedAt) / 1000;
    const after = await look();

    const byRecipient = Map.groupBy(sink.calls, ({ recipient }) => recipient);
    const doubled = [...byRecipient].filter(([, calls]) => calls.length > 1);
    const duplicates = sink.calls.length - byRecipient.size;
    console.log(
      `recipients ${recipients}, served ${byRecipient.size}, duplicates ${duplicates}, in flight at the kill ` +
        `${unanswered} (ledger: ${atKill.sending.size}), recovered in ${secondsToRecover.toFixed(1)} s`,
    );

    // Else the kill came too early or too late to tell anything.
    expect(unanswered).toBeGreaterThan(0);
    expect(atKill.sending.size).toBeGreaterThan(100);
    expect(atKill.sending.size).toBeLessThanOrEqual(slots);
    expect(atKill.accepted).toBeGreaterThan(0);
    expect(atKill.accepted + atKill.sending.size).toBeLessThan(recipients);

    expect(byRecipient.size).toBe(recipients);
    expect(duplicates).toBeLessThanOrEqual(atKill.sending.size);
    expect(doubled.filter(([recipient]) => !atKill.sending.has(sink.urlFor(recipient)))).toEqual([]);
    expect(doubled.filter(([, calls]) => calls.length > 2 || idsOf(calls).size !== 1)).toEqual([]);
    expect(idsOf(sink.calls).size).toBe(recipients);

    expect(after.jobs).toEqual({ completed: recipients });
    expect(after.deliveries).toEqual({ accepted: recipients });
    expect(after.lostRuns).toBe(atKill.running);
    expect(after.finishedRuns).toBe(recipients);

    next.signal('SIGTERM');
    expect(await next.ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('"level":50') });
  });
}, 300_000);

const idsOf = (calls: readonly SinkCall[]) => new Set(calls.map(({ id }) => id));

/** All due at one moment that has passed, written while nobody sends. */
async function writeDue(): Promise<void> {
  const web = installation.start({ args: ['--role', 'web'] });
  await web.ready;
  const at = Temporal.Now.instant().subtract({ minutes: 1 }).round('second');
  const reminders = Array.from({ length: recipients }, (_, index) => ({
    at,
    recipients: [sink.urlFor(`tenant ${index}`)],
  }));
  await writeReminders(await installation.databaseUrl(), { reminders, workspaces: 1 });
  web.signal('SIGTERM');
  await web.ended;
  expect(sink.calls).toEqual([]);
}

/** What the database holds, seen by its owner. */
async function look() {
  const owner = await connectOwner(await installation.databaseUrl());
  try {
    const [jobs, deliveries, runs, sending] = [
      await countBy(owner, 'select status as name, count(*)::int from jobs group by 1'),
      await countBy(owner, 'select status as name, count(*)::int from deliveries group by 1'),
      await countBy(owner, 'select coalesce(error_message, status) as name, count(*)::int from executions group by 1'),
      await owner.query<{ recipient: string }>(running),
    ];
    return {
      jobs,
      deliveries,
      running: jobs.running ?? 0,
      accepted: deliveries.accepted ?? 0,
      sending: new Set(sending.rows.map(({ recipient }) => recipient)),
      lostRuns: runs['The worker stopped during this run'] ?? 0,
      finishedRuns: runs.completed ?? 0,
    };
  } finally {
    await owner.end();
  }
}

/** Attempts that have begun and have no outcome: first ones stand in their claim alone, later ones in the ledger. */
const running = `
  select b ->> 3 as recipient
    from claims c
   cross join json_array_elements(c.begun) b
   where not exists (select from deliveries d where d.job_id = (b ->> 1)::uuid and d.channel = b ->> 2 and d.recipient = b ->> 3)
   union
  select recipient from deliveries where status = 'sending'`;

async function countBy(owner: Client, query: string): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ name: string; count: number }>(query);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** Looks again whenever the engine says that something changed. */
async function allJobsEnded(): Promise<void> {
  const owner = await connectOwner(await installation.databaseUrl());
  try {
    let changed = Promise.withResolvers<void>();
    owner.on('notification', () => changed.resolve());
    await owner.query('listen cuebird_changes');
    for (;;) {
      changed = Promise.withResolvers();
      const { rows } = await owner.query("select from jobs where status in ('pending', 'running') limit 1");
      if (rows.length === 0) return;
      await changed.promise;
    }
  } finally {
    await owner.end();
  }
}
