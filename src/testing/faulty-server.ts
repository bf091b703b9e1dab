import { z } from 'zod';
import { startCuebird } from '#cuebird.ts';
import { defaultLimits } from '#engine/claiming/dispatcher.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { EngineDeps } from '#engine/engine.ts';
import type { Clock } from '#platform/clock.ts';
import { parseConfig } from '#platform/config.ts';
import { startDeliveries } from '#wiring/deliveries.ts';
import { dieAt, faultPoints } from '#testing/fault-points.ts';

/** The product in a separate process, with the faults that the variable FAULTS lists as JSON. */
const Faults = z.strictObject({
  limits: z.record(z.string(), z.number()).default({}),
  die: z.strictObject({ point: z.enum(faultPoints), passing: z.number() }).optional(),
  /** The URL of another folder of migrations, such as that of a newer version. */
  migrations: z.url().optional(),
  /** The offset of the engine's clock. */
  aheadMs: z.number().default(0),
});

/** A command that the test sends while the process runs. */
const Command = z.looseObject({
  id: z.number(),
  aheadMs: z.number().optional(),
  /** Answered once the dispatcher has found nothing due this many times. */
  looks: z.number().optional(),
  /** Answered once the engine has looked for expired claims this many times. */
  sweeps: z.number().optional(),
});

const { limits, die, migrations, ...faults } = Faults.parse(JSON.parse(process.env.FAULTS ?? '{}'));
let { aheadMs } = faults;
let onLook: () => void = () => {};
let onSweep: () => void = () => {};

/** The engine's clock, ahead of what it is. */
const shifted = (clock: Clock): Clock => ({
  epochMs: () => clock.epochMs() + aheadMs,
  steadyMs: clock.steadyMs,
  now: () => clock.now().add({ milliseconds: aheadMs }),
  // Like the system clock, a sleep keeps its duration after it has started.
  sleepUntil: (instant, signal) => clock.sleepUntil(instant.subtract({ milliseconds: aheadMs }), signal),
});

function wrapEngine(given: EngineDeps): EngineDeps {
  const deps = die === undefined ? given : dieAt(given, die);
  const store = deps.store ?? createPostgresStore(deps.pool);
  const clock = shifted(deps.clock);
  return {
    ...deps,
    clock,
    // The earliest time of a retry.
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
  const command = Command.parse(message);
  const answer = () => process.send?.(command.id);
  aheadMs = command.aheadMs ?? aheadMs;
  if (command.looks !== undefined) onLook = after(command.looks, answer);
  else if (command.sweeps !== undefined) onSweep = after(command.sweeps, answer);
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
// The parent process has ended, so nothing else would stop this one.
process.once('disconnect', () => process.exit(1));
