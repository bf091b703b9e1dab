import type { Client } from 'pg';
import { misfirePolicies } from '#contract/misfire.ts';
import type { Database } from '#platform/database.ts';
import { actOnSomeJob, actOnSomeReminder, changeContacts, write } from '#simulation/conformance-acts.ts';
import { channelId, type ConformanceState, workspaceIds } from '#simulation/conformance-state.ts';
import * as verbs from '#simulation/conformance-verbs.ts';
import { openPair } from '#simulation/pair.ts';
import { createRandom, type Random } from '#simulation/random.ts';
import { isoOf } from '#simulation/tables.ts';

/** A random walk over the store's operations and the users' acts. Fails at the first difference. */
export async function takeSteps(
  to: { owner: Client; database: Database },
  { seed, steps }: { seed: number; steps: number },
): Promise<void> {
  const random = createRandom(seed);
  const start = Temporal.Instant.from('2026-03-02T08:00:00Z').add({ seconds: random.between(0, 86_400) });
  const long = isoOf(start.subtract({ hours: 24 * 60 }));
  const pair = await openPair(to, {
    workspaces: [
      {
        id: workspaceIds[0],
        name: 'Elm Street',
        tier: 'free',
        trial_ends_at: long,
        prefers_miss: false,
        misfire: 'latest',
        consent_for: [],
        paused_until: null,
        frequency_cap: null,
        is_deleted: false,
      },
      {
        id: workspaceIds[1],
        name: 'Oak Lane',
        tier: 'premium',
        trial_ends_at: long,
        prefers_miss: random.chance(0.5),
        misfire: random.pick(misfirePolicies),
        consent_for: seed % 2 === 0 ? ['webhook', 'sms'] : [],
        paused_until: null,
        frequency_cap: { perDay: 2, perWeek: 3, timezone: 'UTC' },
        is_deleted: false,
      },
    ],
    channels: [
      {
        id: channelId,
        workspace_id: workspaceIds[0],
        type: 'webhook',
        is_active: true,
        configuration: { method: 'PUT' },
        sealed_secrets: {},
        rate_limit_per_second: null,
        updated_at: long,
      },
    ],
  });
  const state: ConformanceState = {
    pair,
    random,
    now: start,
    assumed: { claims: [], attempts: [] },
    reminders: { count: 0 },
  };
  for (let step = 0; step < steps; step += 1) {
    // No two steps at one instant, because jobs that are due at the same time have no order.
    const aheadMs = random.chance(0.1) ? random.between(1, 7_200_000) : random.between(1, 300_000);
    state.now = state.now.add({ milliseconds: aheadMs });
    await stepOf(random)(state);
  }
}

function stepOf(random: Random): (state: ConformanceState) => Promise<unknown> {
  const dice = random.next();
  let sum = 0;
  for (const [weight, step] of weights) if (dice < (sum += weight)) return step;
  return verbs.claim;
}

const weights: readonly [number, (state: ConformanceState) => Promise<unknown>][] = [
  [0.1, write],
  [0.17, verbs.claim],
  [0.14, verbs.begin],
  [0.13, verbs.record],
  [0.06, verbs.endRun],
  [0.04, changeContacts],
  [0.04, verbs.rescue],
  [0.01, verbs.restoreClaims],
  [0.03, verbs.ask],
  [0.03, verbs.rateLimit],
  [0.04, verbs.scheduleMissing],
  [0.03, verbs.skipOpen],
  [0.12, actOnSomeJob],
  [0.06, actOnSomeReminder],
];
