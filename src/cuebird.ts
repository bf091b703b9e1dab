import { randomUUIDv7 } from 'node:crypto';
import { startAlertWatch } from '#features/alerts/alert-watch.service.ts';
import type { Passwords } from '#features/auth/passwords.ts';
import { createAuth } from '#features/auth/auth.service.ts';
import { authPurpose } from '#features/auth/auth.secrets.ts';
import { prepareAdminSetup } from '#features/auth/admin-setup.service.ts';
import { listAdministrators } from '#features/auth/listed-administrators.service.ts';
import { demoToken } from '#features/demo/demo-link.ts';
import { openDemo } from '#features/demo/demo.service.ts';
import { readInstallationState } from '#features/metrics/state.service.ts';
import { startHealthWatch } from '#features/status/health-watch.service.ts';
import { listPausedJobs } from '#engine/pause/paused-jobs.ts';
import type { DispatcherLimits } from '#engine/claiming/dispatcher.ts';
import type { AppDeps } from '#http/app.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { ownMigrations } from '#platform/migrate.ts';
import { deliveryPauseText, type Links, readyText } from '#terminal.ts';
import type { StartDeliveries } from '#wiring/deliveries.ts';
import { openBackups } from '#wiring/backups.ts';
import { openErasures } from '#wiring/erasures.ts';
import { createRuntime, type Runtime, createRuntimeBase } from '#wiring/runtime.ts';
import { openMetrics } from '#wiring/metrics.ts';
import { openSandbox } from '#wiring/sandbox.ts';
import { openOutbound, type Outbound } from '#wiring/outbound.ts';
import { openWeb } from '#wiring/web.ts';

export type Cuebird = {
  /** The address at which people open Cuebird. */
  url: string;
  links: Links;
  database: Database;
  /** Stops claiming, finishes deliveries in flight within 25 s, returns the rest to the queue and closes everything. */
  stop(): Promise<void>;
};

type Options = {
  say: (text: string) => void;
  /** Starts deliveries in a thread, or in this thread where a test wraps the engine. */
  startDeliveries: StartDeliveries;
  limits?: DispatcherLimits;
  /** False in tests, where many people sign up from one address and one person sends thousands of requests. */
  hasLimits?: boolean;
  /** False in tests that do the passes of an erasure themselves. */
  erases?: boolean;
  /** The guard of requests, which a test switches off. */
  admit?: AppDeps['admit'];
  /** How passwords are hashed: Argon2id by default, faster in tests. */
  passwords?: Passwords | undefined;
  /** The folder of migrations; tests simulate a newer version with another one. */
  migrations?: URL;
};

/** Starts everything that the configuration enables, in the order of its dependencies. */
export async function startCuebird(config: Config, options: Options): Promise<Cuebird> {
  const { stop, ...base } = createRuntimeBase(config);
  try {
    const runtime = await createRuntime({ ...base, migrations: options.migrations ?? ownMigrations });
    return { ...(await openModules(runtime, options)), database: runtime.database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openModules(
  runtime: Runtime,
  { say, startDeliveries, limits, passwords, hasLimits = true, erases = true, admit }: Options,
): Promise<Pick<Cuebird, 'url' | 'links'>> {
  const { clock, config, stack, database, secrets } = runtime;
  // The sandbox sends its reports to this installation, whose address is known once it listens.
  let url = config.APP_URL ?? `http://localhost:${config.PORT}`;
  const sandbox = config.sandbox ? await openSandbox(runtime, { ownUrl: () => url }) : null;
  const outbound = await openOutbound(runtime, { sandbox, url: () => url });
  const processId = randomUUIDv7();
  const measuring = await openMetrics(runtime, { processId, thread: 'main' });
  database.onFull(measuring.heartbeat.doubt);
  let recordingFailure: string | null = null;
  const writeFailure = async () => recordingFailure ?? (await measuring.heartbeat.failure());
  watchForAlerts(runtime, { outbound, url: () => url });
  watchHealth(runtime, writeFailure);
  const backups = openBackups(runtime, { outbound, url: () => url });
  if (erases) openErasures(runtime);
  const auth = await openAuth(runtime, { outbound, hasLimits, passwords });
  const demoPorts = { database, secrets, sandbox, guard: outbound.guard, url: () => url };
  const opened = config.demo ? await openDemo({ ...demoPorts, auth, now: clock.now() }) : null;
  const demoSecrets = () => textsOf(secrets.deriveKeys('demo link'));
  const demo = opened === null ? null : { ...opened, secrets: demoSecrets };
  const accountTokens = () => textsOf(secrets.deriveKeys('account inbox'));
  if (config.roles.includes('web')) {
    await listAdministrators(database.auth, config.ADMIN_EMAILS);
    const listening = await openWeb(runtime, {
      auth,
      outbound,
      measuring,
      writeFailure,
      sandbox,
      backups,
      demo,
      visitors: { ...demoPorts, isOpen: config.demo && sandbox !== null, hasLimits, now: clock.now },
      accountTokens,
      url: () => url,
      hasLimits,
      admit,
    });
    url = config.APP_URL ?? listening;
  }
  const links: Links = {
    url,
    demo:
      demo === null ? null : `${url}/api/demo/enter?token=${demoToken(demoSecrets()[0] ?? '', { now: clock.now() })}`,
    inbox: sandbox === null ? null : `${url}/inbox`,
    accountMail: sandbox === null ? null : `${url}/inbox?token=${accountTokens()[0]}`,
    adminSetup: await adminSetupLink(runtime, url),
  };
  if (config.roles.includes('worker')) {
    const { ownerUrl, encryptionKey, olderKeys, migrations } = runtime;
    const deliveries = await startDeliveries(
      {
        runtime: { config, ownerUrl, encryptionKey, olderKeys, migrations },
        processId,
        url,
        inbox: links.inbox,
        sandboxPorts: sandbox === null ? null : { smtpPort: sandbox.smtp.port, httpPort: sandbox.http.port },
        printedWorkspace: demo?.isNew === true ? demo.workspaceId : null,
        limits,
      },
      { say, onFull: measuring.heartbeat.doubt, onRecording: (failure) => (recordingFailure = failure) },
    );
    stack.add('deliveries', () => deliveries.stop());
  }
  say(readyText(links));
  await printDeliveryPause(runtime, say);
  return { url, links };
}

const textsOf = (keys: readonly Buffer[]) => keys.map((key) => key.toString('base64url'));

async function openAuth(
  { config, log, stack, database, secrets, pubsub, settings }: Runtime,
  { outbound, hasLimits, passwords }: { outbound: Outbound; hasLimits: boolean; passwords: Passwords | undefined },
) {
  const auth = await createAuth({
    pool: database.auth,
    pubsub,
    settings: settings.current,
    secret: secrets.deriveKey(authPurpose).toString('base64url'),
    olderSecrets: () => textsOf(secrets.deriveKeys(authPurpose)).slice(1),
    appUrl: config.APP_URL ?? null,
    emailVerification: config.emailVerification,
    minPasswordLength: config.MIN_PASSWORD_LENGTH,
    google: googleOf(config),
    adminEmails: config.ADMIN_EMAILS,
    log,
    rateLimit: hasLimits,
    passwords,
    canSendMail: outbound.canSendMail,
    sendAccountMail: async (mail) => void (await outbound.sendMail(mail)),
  });
  stack.add('account mail', () => auth.mailSent());
  return auth;
}

const googleOf = ({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret }: Config) =>
  clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };

/** Watches for causes of alerts: the own disk, and what all processes have measured. */
function watchForAlerts(
  { clock, config, log, stack, database, deliveryPause }: Runtime,
  { outbound, url }: { outbound: Outbound; url: () => string },
): void {
  const { DATA_DIR: dataDir } = config;
  const isPaused = async () => (await deliveryPause.notice()) !== null;
  const pool = database.engine;
  const watch = startAlertWatch({
    pool,
    clock,
    log,
    url,
    sendMail: outbound.canSendMail ? outbound.sendMail : null,
    read: () => readInstallationState({ pool, now: clock.now, dataDir, isPaused }),
  });
  stack.add('the watch for alerts', () => watch.stop());
}

/** Counts the minutes of the status page: every process does, but each minute is counted once. */
function watchHealth(
  { clock, config, log, stack, database, deliveryPause, settings }: Runtime,
  writeFailure: () => Promise<string | null>,
): void {
  const watch = startHealthWatch({
    pool: database.engine,
    clock,
    log,
    dataDir: config.DATA_DIR,
    isPaused: async () => (await deliveryPause.notice()) !== null,
    settings: settings.current,
    writeFailure,
  });
  stack.add('the history of the status', () => watch.stop());
}

async function adminSetupLink({ database }: Runtime, url: string): Promise<string | null> {
  const token = await prepareAdminSetup(database.auth);
  return token === null ? null : `${url}/setup?token=${token}`;
}

async function printDeliveryPause(
  { clock, database, deliveryPause, log }: Runtime,
  say: Options['say'],
): Promise<void> {
  const notice = await deliveryPause.notice();
  if (notice === null) return;
  const paused = await listPausedJobs({ pool: database.engine, clock }, notice);
  log.warn({ ...notice, due: paused.due, later: paused.later }, 'deliveries are paused');
  say(deliveryPauseText(paused));
}
