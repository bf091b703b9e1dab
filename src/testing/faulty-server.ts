import { z } from 'zod';
import { startCuebird } from '#cuebird.ts';
import { defaultLimits } from '#engine/dispatcher.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { EngineDeps } from '#engine/engine.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { parseConfig } from '#platform/config.ts';
import { startDeliveries } from '#wiring/deliveries.ts';
import { dieAt, faultPoints } from '#testing/fault-points.ts';

/** The product as a process of its own, with faults built in: what shall happen stands in FAULTS, as JSON. */
const Faults = z.strictObject({
  limits: z.record(z.string(), z.number()).default({}),
  die: z.strictObject({ point: z.enum(faultPoints), passing: z.number() }).optional(),
  /** The folder of migrations that it knows, as a URL: that of a newer version. */
  migrations: z.url().optional(),
  /** How far this process's clock is ahead of the machine's. */
  aheadMs: z.number().default(0),
});

/** What the test says while it runs. */
const Told = z.looseObject({
  id: z.number(),
  aheadMs: z.number().optional(),
  /** Answered once the dispatcher has looked so often without finding anything due. */
  looks: z.number().optional(),
  /** Answered once it has looked so often for claims that nobody keeps. */
  sweeps: z.number().optional(),
});

const { limits, die, migrations, ...faults } = Faults.parse(JSON.parse(process.env.FAULTS ?? '{}'));
let { aheadMs } = faults;
let onLook: () => void = () => {};
let onSweep: () => void = () => {};

const clock: Clock = {
  epochMs: () => systemClock.epochMs() + aheadMs,
  steadyMs: systemClock.steadyMs,
  now: () => systemClock.now().add({ milliseconds: aheadMs }),
  // As with the machine's own clock, a sleep that has begun lasts as long as it was meant to.
  sleepUntil: (instant, signal) => systemClock.sleepUntil(instant.subtract({ milliseconds: aheadMs }), signal),
};

function wrapEngine(given: EngineDeps): EngineDeps {
  const deps = die === undefined ? given : dieAt(given, die);
  const store = deps.store ?? createPostgresStore(deps.pool);
  return {
    ...deps,
    clock,
    // The earliest that a retry may come.
    random: () => 0,
    network: { ...deps.network, now: clock.now },
    store: {
      ...store,
      async claim(request, decide) {
        const claim = await store.claim(request, decide);
        if (claim === null) onLook();
        return claim;
      },
      async openClaims() {
        const open = await store.openClaims();
        onSweep();
        return open;
      },
    },
  };
}

process.on('message', (message) => {
  const told = Told.parse(message);
  const answer = () => process.send?.(told.id);
  aheadMs = told.aheadMs ?? aheadMs;
  if (told.looks !== undefined) onLook = after(told.looks, answer);
  else if (told.sweeps !== undefined) onSweep = after(told.sweeps, answer);
  else answer();
});

function after(count: number, done: () => void): () => void {
  let left = count;
  return () => {
    left -= 1;
    if (left === 0) done();
  };
}

const cuebird = await startCuebird(parseConfig(process.env, process.argv.slice(2)), {
  say: (text) => void process.stdout.write(`${text}\n`),
  limits: { ...defaultLimits, ...limits },
  migrations: migrations === undefined ? undefined : new URL(migrations),
  startDeliveries: (orders, options) => startDeliveries(orders, { ...options, wrapEngine }),
});
process.once('SIGTERM', () => void cuebird.stop().then(() => process.exit(0)));
// Whoever started it is gone: nobody will stop it otherwise.
process.once('disconnect', () => process.exit(1));
