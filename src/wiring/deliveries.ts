import type { DispatcherLimits } from '#engine/dispatcher.ts';
import { type EngineDeps, startEngine } from '#engine/engine.ts';
import { usualGatherMs } from '#engine/recorder.ts';
import { startNotices } from '#features/notices/notices.service.ts';
import { systemClock } from '#platform/clock.ts';
import { createOutboundHttp } from '#platform/outbound/http.ts';
import { sandboxAddresses } from '#platform/sandbox/addresses.ts';
import { deliveryText } from '#terminal.ts';
import { enterHouse, type HouseKeys, layFoundation } from './house.ts';
import { sandboxSecret } from './sandbox.ts';
import { openWaysOut } from './ways-out.ts';

/** All that deliveries are started from: plain data, because they may run in a thread of their own. */
export type Orders = {
  keys: HouseKeys;
  /** Where people reach Cuebird. */
  url: string;
  /** Where they read what the sandbox took; null without a sandbox. */
  inbox: string | null;
  sandboxPorts: { smtpPort: number; httpPort: number } | null;
  /** The workspace whose deliveries are told at the terminal. */
  toldWorkspace: string | null;
  limits: DispatcherLimits | undefined;
};

export type Deliveries = { stop(): Promise<void> };

export type Options = {
  say: (text: string) => void;
  /** Lets fault tests stand between the engine and its store or network. */
  wrapEngine?: (deps: EngineDeps) => EngineDeps;
};

/** How they are started, here or in a thread. */
export type StartDeliveries = (orders: Orders, options: Pick<Options, 'say'>) => Promise<Deliveries>;

const drainMs = 25_000;

/** Starts all that delivers, on connections of its own. */
export async function startDeliveries(orders: Orders, options: Options): Promise<Deliveries> {
  const { stop, ...foundation } = layFoundation(orders.keys.config);
  try {
    await open(orders, { ...options, foundation });
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function open(
  { keys, url, inbox, sandboxPorts, toldWorkspace, limits }: Orders,
  { say, wrapEngine = (deps) => deps, foundation }: Options & { foundation: Parameters<typeof enterHouse>[0] },
): Promise<void> {
  const house = await enterHouse(foundation, keys);
  const { config, log, stack, database, hold, pubsub, secrets, superseded } = house;
  const sandbox =
    sandboxPorts === null ? null : sandboxAddresses({ secret: secrets.deriveKey(sandboxSecret), ...sandboxPorts });
  const ways = await openWaysOut(house, { sandbox, url: () => url });
  const http = createOutboundHttp({ guard: ways.guard });
  stack.add('outgoing connections', () => http.close());
  const isHeld = async () => (await hold.notice()) !== null;
  const pool = database.engine;
  const sendMail = ways.canSendMail ? ways.sendMail : null;
  const notices = startNotices({ pool, clock: systemClock, log, url, sendMail, isHeld });
  stack.add('notices', () => notices.stop());
  const deps = wrapEngine({
    pool,
    pubsub,
    secrets,
    defaults: ways.defaults,
    network: {
      http,
      smtp: ways.smtp,
      now: systemClock.now,
      callbackUrl: ways.callbackUrl,
      unsubscribeLinks: ways.unsubscribeLinks,
    },
    clock: systemClock,
    random: Math.random,
    log,
    isAlone: config.DATABASE_URL === undefined,
    isHeld,
    onUnsent: notices.wake,
    billing: config.BILLING,
    gatherMs: usualGatherMs,
    limits,
    onRecorded: (recorded) => {
      if (recorded.run.job.workspace_id === toldWorkspace)
        say(deliveryText(recorded, { inbox: inbox ?? url, now: systemClock.now() }));
    },
  });
  const engine = await startEngine(deps);
  stack.add('the engine', () => engine.stop(drainMs));
  // What is due is the newer version's to send; people may go on reading here.
  const retire = () => void Promise.all([engine.stop(drainMs), notices.stop()]);
  if (superseded.aborted) retire();
  else superseded.addEventListener('abort', retire);
}
