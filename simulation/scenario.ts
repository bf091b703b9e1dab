import type { ChannelType } from '#contract/channel-types.ts';
import { misfirePolicies } from '#contract/misfire.ts';
import { defaultLimits, type DispatcherLimits } from '#engine/claiming/dispatcher.ts';
import type { ChannelRow } from '#engine/run/routes.ts';
import { createRandom, type Random } from '#simulation/random.ts';
import { isoOf, type WorkspaceRow } from '#simulation/tables.ts';

/** The parameters that a seed determines, apart from random draws during the run. */
export type Scenario = {
  seed: number;
  startMs: number;
  /** How long faults happen. Afterwards everything works, and open work must finish. */
  chaosMs: number;
  workers: number;
  /** No other worker can be running when a worker starts. */
  isAlone: boolean;
  limits: DispatcherLimits;
  workspaces: WorkspaceRow[];
  channels: ChannelRow[];
  reminders: number;
  /** The workspaces have contacts, and reminders are sent to some of them. */
  hasContacts: boolean;
  /** Transactions are taken back, as by a fail-over to a standby that is behind, and claims are lost. */
  hasFailOvers: boolean;
  /** Channels are tried in order, and providers report failures late. */
  hasChains: boolean;
  /** Users also pause all reminders of a workspace. */
  hasPauses: boolean;
  /** The workspaces send over webhooks and by SMS only to those who have agreed to it. */
  hasConsents: boolean;
  /** In [0, 1]: how much of the time destinations are faulty. */
  faultRate: number;
  /** Between two acts of users, on average; null when there are none. */
  actEveryMs: number | null;
  /** The probability of each fault. */
  workerFaults: WorkerFaults;
  /** The clock is set ahead or back, the machine is suspended, no worker runs for a while, or a worker is stopped. */
  gaps: Gap[];
};

type Gap = {
  atMs: number;
  ms: number;
  kind: 'leap' | 'setback' | 'suspend' | 'outage' | 'restart';
  /** Waits until a request is being sent. */
  isOnNextRequest: boolean;
};

export type WorkerFaults = {
  dies: number;
  freezes: number;
  /** A call fails before it took effect, or after. */
  fails: number;
  answerLost: number;
  late: number;
  notifyLost: number;
};

const minuteMs = 60_000;
const none: WorkerFaults = { dies: 0, freezes: 0, fails: 0, answerLost: 0, late: 0, notifyLost: 0 };

/** What a fail-over has lost breaks promises that the other seeds check, such as that nobody is written to twice. */
export const lastWithoutFailOvers = 2_000;

export function scenarioOf(seed: number): Scenario {
  const random = createRandom(seed, 1);
  const startMs = Date.parse('2026-03-02T08:00:00Z') + random.between(0, 86_400) * 1_000;
  const isCalm = random.chance(0.1);
  const chaosMs = random.between(8, 30) * minuteMs;
  const workers = random.pick([1, 2, 2, 2, 3]);
  // Not drawn: a seed keeps its other values.
  const hasConsents = seed % 7 === 4;
  return {
    seed,
    startMs,
    chaosMs,
    workers,
    isAlone: workers === 1 && random.chance(0.5),
    limits: someLimits(random),
    ...withCaps(someWorkspaces(random, { startMs, hasConsents }), seed),
    reminders: random.between(1, 4),
    faultRate: isCalm ? 0 : random.pick([0.1, 0.3, 0.6]),
    actEveryMs: isCalm ? null : random.pick([null, 2 * minuteMs, 4 * minuteMs, 4 * minuteMs]),
    workerFaults: isCalm ? none : someWorkerFaults(random),
    gaps: isCalm ? [] : someGaps(random, { startMs, chaosMs }),
    hasContacts: random.chance(0.2) || seed % 6 === 3,
    hasPauses: random.chance(0.2),
    // Not drawn: a seed keeps its other values.
    hasChains: seed % 6 === 3,
    hasConsents,
    hasFailOvers: seed > lastWithoutFailOvers,
  };
}

/** Small limits, so that few recipients reach them. */
function someLimits(random: Random): DispatcherLimits {
  const slots = random.between(2, 10);
  return {
    ...defaultLimits,
    slots,
    slotsPerWorkspace: random.between(2, slots),
    perDestination: random.between(1, 3),
    failuresToOpen: random.between(2, 4),
    // Derived, not drawn: a seed keeps its other values.
    jobsPerClaim: 1 + (slots % 4),
    audiences: { ...defaultLimits.audiences, jobs: 1 + (slots % 3), people: slots },
  };
}

function someWorkspaces(
  random: Random,
  { startMs, hasConsents }: { startMs: number; hasConsents: boolean },
): Pick<Scenario, 'workspaces' | 'channels'> {
  const longAgo = isoOf(Temporal.Instant.fromEpochMilliseconds(startMs).subtract({ hours: 24 * 40 }));
  const workspaces = Array.from({ length: random.pick([1, 1, 2]) }, (_, at) => ({
    id: `01900000-0000-7000-8000-00000000000${at + 1}`,
    name: ['Elm Street', 'Oak Lane'][at] ?? '',
    tier: 'free' as const,
    trial_ends_at: longAgo,
    prefers_miss: random.chance(0.3),
    misfire: random.pick(misfirePolicies),
    consent_for: hasConsents ? (['webhook', 'sms'] satisfies ChannelType[]) : [],
    paused_until: null,
    frequency_cap: null,
    is_deleted: false,
  }));
  const channels = workspaces.flatMap(({ id }, at) =>
    Array.from({ length: random.pick([0, 1, 2]) }, (_, which) =>
      webhook(id, {
        number: 2 * at + which + 1,
        ratePerSecond: random.pick([null, null, 1, 4]),
        updatedAt: isoOf(Temporal.Instant.from(longAgo).add({ seconds: which })),
      }),
    ),
  );
  return { workspaces, channels };
}

/** Some workspaces cap what one address gets, by a day that may begin meanwhile. Derived, not drawn: a seed keeps its other values. */
function withCaps<One extends Pick<Scenario, 'workspaces'>>(drawn: One, seed: number): One {
  if (seed % 6 !== 2) return drawn;
  const cap = { perDay: 1 + (Math.floor(seed / 6) % 3), perWeek: null, timezone: 'Europe/Berlin' };
  return { ...drawn, workspaces: drawn.workspaces.map((workspace) => ({ ...workspace, frequency_cap: cap })) };
}

/** Each request names its channel. The channel has a URL for recipients who have none. */
function webhook(
  workspaceId: string,
  { number, ratePerSecond, updatedAt }: { number: number; ratePerSecond: number | null; updatedAt: string },
): ChannelRow {
  const id = `01900000-0000-7000-8000-0000000000c${number}`;
  return {
    id,
    workspace_id: workspaceId,
    type: 'webhook',
    is_active: true,
    configuration: {
      method: 'PUT',
      url: `https://relay-${number}.example/`,
      headers: JSON.stringify({ [channelHeader]: id }),
      trusted_origins: ['https://one.example', 'https://two.example', 'https://three.example'].join('\n'),
    },
    sealed_secrets: {},
    rate_limit_per_second: ratePerSecond,
    updated_at: updatedAt,
  };
}

export const channelHeader = 'x-channel';

/** A random subset, so that each kind also occurs without the others. */
function someWorkerFaults(random: Random): WorkerFaults {
  const rate = (most: number) => (random.chance(0.5) ? random.next() * most : 0);
  return {
    dies: rate(0.04),
    freezes: rate(0.03),
    fails: rate(0.15),
    answerLost: rate(0.08),
    late: rate(0.2),
    notifyLost: rate(1),
  };
}

function someGaps(random: Random, { startMs, chaosMs }: { startMs: number; chaosMs: number }): Scenario['gaps'] {
  return Array.from({ length: random.between(0, 3) }, () => ({
    atMs: startMs + random.between(minuteMs, chaosMs),
    ms: random.pick([90_000, 10 * minuteMs, 60 * minuteMs, 60 * minuteMs, 5 * 60 * minuteMs]),
    kind: random.pick(['leap', 'setback', 'suspend', 'outage', 'restart']),
    isOnNextRequest: random.chance(0.6),
  })).sort((a, b) => a.atMs - b.atMs);
}
