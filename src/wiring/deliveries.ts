import { isCounted } from '#contract/job-types.ts';
import type { DispatcherLimits } from '#engine/claiming/dispatcher.ts';
import { type Engine, type EngineDeps, startEngine } from '#engine/engine.ts';
import { usualGatherMs } from '#engine/execution/recorder.ts';
import { startWebhookSender } from '#engine/webhooks/webhook-sender.ts';
import { readIcsInBackground } from '#features/calendar-sources/ics/ics-thread.ts';
import { startSourceReader } from '#features/calendar-sources/source-reader.service.ts';
import { startNotices } from '#features/notices/notices.service.ts';
import { startMonthlyReportMailer } from '#features/monthly-reports/monthly-report-mailer.service.ts';
import { startTimedResume } from '#features/reminders/timed-resume.service.ts';
import { notifyOwnersOfDisabled } from '#features/webhooks/disabled-webhooks.service.ts';
import { databaseTroubleOf, databaseTroubleText } from '#platform/database.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { sandboxAddresses } from '#sandbox/addresses.ts';
import { createRenderingPool, deliveryLimits } from '#rendering/pool.ts';
import { createRenderer } from '#rendering/renderer.ts';
import { deliveryText } from '#terminal.ts';
import { connectRuntime, type RuntimeOptions, createRuntimeBase } from './runtime.ts';
import { sandboxSecret } from './sandbox.ts';
import { openMetrics } from './metrics.ts';
import { openOutbound } from './outbound.ts';

/** Everything that starting deliveries needs: plain data, because they may run in another thread. */
export type DeliveriesInput = {
  runtime: RuntimeOptions;
  processId: string;
  /** The address at which people open Cuebird. */
  url: string;
  /** The address of the sandbox's Inbox; null without a sandbox. */
  inbox: string | null;
  sandboxPorts: { smtpPort: number; httpPort: number } | null;
  /** The workspace whose deliveries are printed at the terminal. */
  printedWorkspace: string | null;
  limits: DispatcherLimits | undefined;
};

export type Deliveries = { stop(): Promise<void> };

export type Options = {
  say: (text: string) => void;
  /** Told why outcomes cannot be recorded, as a sentence for people; null once they can be. */
  onRecording: (failure: string | null) => void;
  /** Called for each write that is refused because the database has no space left. */
  onFull: () => void;
  /** Lets fault tests wrap the engine's store and network. */
  wrapEngine?: (deps: EngineDeps) => EngineDeps;
};

/** Starts deliveries, in this thread or another. */
export type StartDeliveries = (input: DeliveriesInput, options: Omit<Options, 'wrapEngine'>) => Promise<Deliveries>;

const drainMs = 25_000;

/** Starts the engine, on database connections of its own. */
export async function startDeliveries(input: DeliveriesInput, options: Options): Promise<Deliveries> {
  const { stop, ...base } = createRuntimeBase(input.runtime.config);
  try {
    await open(input, { ...options, base });
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function open(
  { runtime: options, processId, url, inbox, sandboxPorts, printedWorkspace, limits }: DeliveriesInput,
  {
    say,
    onRecording,
    onFull,
    wrapEngine = (deps) => deps,
    base,
  }: Options & { base: Parameters<typeof connectRuntime>[0] },
): Promise<void> {
  const runtime = await connectRuntime(base, options);
  let engine: Engine | null = null;
  const { metrics } = await openMetrics(runtime, {
    processId,
    thread: 'deliveries',
    openDeliveries: () => engine?.openDeliveries() ?? 0,
  });
  const { config, log, stack, database, clock, deliveryPause, pubsub, secrets, superseded } = runtime;
  database.onFull(onFull);
  const sandbox =
    sandboxPorts === null ? null : sandboxAddresses({ secret: secrets.deriveKey(sandboxSecret), ...sandboxPorts });
  const outbound = await openOutbound(runtime, { sandbox, url: () => url });
  const http = createOutboundHttp({ guard: outbound.guard });
  stack.add('outgoing connections', () => http.close());
  const rendering = createRenderingPool(deliveryLimits);
  stack.add('the rendering threads', () => rendering.close());
  const isPaused = async () => (await deliveryPause.notice()) !== null;
  const pool = database.engine;
  const sendMail = outbound.canSendMail ? outbound.sendMail : null;
  const notices = startNotices({ pool, clock, log, url, sendMail, isPaused });
  stack.add('notices', () => notices.stop());
  const deps = wrapEngine({
    pool,
    pubsub,
    secrets,
    defaults: outbound.defaults,
    demoRoutes: outbound.demo.routes,
    network: {
      http,
      smtp: outbound.smtp,
      now: clock.now,
      callbackUrl: outbound.callbackUrl,
      publicUrl: outbound.publicUrl,
      unsubscribeLinks: outbound.unsubscribeLinks,
      preferencesLink: outbound.preferencesLink,
    },
    renderer: createRenderer(rendering),
    clock,
    random: Math.random,
    log,
    isAlone: config.DATABASE_URL === undefined,
    isPaused,
    onUnsent: notices.wake,
    billing: config.billing === 'off' ? 'off' : 'on',
    gatherMs: usualGatherMs,
    limits,
    onWrite: (failure) => onRecording(recordingFailureOf(failure)),
    onAttempt: ({ job }, { attempts }) => {
      if (attempts === 1)
        metrics.attemptBegan({ seconds: (clock.epochMs() - Date.parse(job.due_at ?? job.scheduled_for)) / 1_000 });
    },
    onRecorded: (recorded) => {
      const { run, delivery, settled } = recorded;
      if (!run.sender.isDemo)
        metrics.deliveryEnded({
          channel: delivery.channel,
          status: settled.status,
          dueAt: run.job.scheduled_for,
          isTest: !isCounted(run.job.type),
        });
      if (run.job.workspace_id === printedWorkspace)
        say(deliveryText({ job: run.job, delivery, settled }, { inbox: inbox ?? url, now: clock.now() }));
    },
  });
  const timedResume = startTimedResume({ app: database.app, pool, clock, log });
  stack.add('the end of pauses', () => timedResume.stop());
  const calendars = startSourceReader({
    db: database.app,
    pool,
    secrets,
    http,
    readIcs: readIcsInBackground,
    clock,
    log,
    url,
    sendMail,
  });
  stack.add('the reading of calendars', () => calendars.stop());
  const reports = startMonthlyReportMailer({
    app: database.app,
    pool,
    clock,
    log,
    secrets,
    url,
    links: outbound.stopLinks,
    sendMail: outbound.canSendMail ? outbound.tryMail : null,
    isPaused,
  });
  stack.add('monthly reports', () => reports.stop());
  const webhooks = startWebhookSender({
    pool,
    pubsub,
    network: deps.network,
    secrets,
    clock,
    random: Math.random,
    log,
    isPaused,
    notifyOwners: (now) => notifyOwnersOfDisabled({ pool, log, url, sendMail }, now),
  });
  stack.add('the events of webhooks', () => webhooks.stop(drainMs));
  const started = await startEngine(deps);
  engine = started;
  stack.add('the engine', () => started.stop(drainMs));
  // Once a newer version runs it sends what is due; this process still serves people.
  const retire = () =>
    void Promise.all([
      started.stop(drainMs),
      notices.stop(),
      timedResume.stop(),
      reports.stop(),
      calendars.stop(),
      webhooks.stop(drainMs),
    ]);
  if (superseded.aborted) retire();
  else superseded.addEventListener('abort', retire);
}

/** A database that is away is noticed by everybody, and also when it is back. */
function recordingFailureOf(failure: unknown): string | null {
  if (failure === null) return null;
  const trouble = databaseTroubleOf(failure);
  if (trouble === 'unreachable') return null;
  return trouble === null ? 'The outcomes of deliveries cannot be recorded' : databaseTroubleText[trouble];
}
