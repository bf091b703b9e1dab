import { fileURLToPath } from 'node:url';
import type { DefaultRoute, Network } from '#delivery/adapter.ts';
import { createDefaultRoutes, smtpConfiguration } from '#delivery/defaults.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import type { DispatcherLimits } from '#engine/dispatcher.ts';
import { type EngineDeps, startEngine } from '#engine/engine.ts';
import { listHeld } from '#engine/held-jobs.ts';
import { type Hold, openHold } from '#engine/hold.ts';
import { releaseHold } from '#engine/release.ts';
import { createAccountMailer } from '#features/auth/account-mailer.ts';
import { createAuth } from '#features/auth/auth.service.ts';
import { prepareClaim } from '#features/auth/claim.service.ts';
import { apiKeyHandlers } from '#features/api-keys/api-keys.http.ts';
import { demoToken } from '#features/demo/demo-link.ts';
import { callbackUrl, createAccountWebhooks } from '#features/channels/callback-address.service.ts';
import { defaultCallbackToken } from '#features/channels/callback-token.ts';
import { callbackHandlers } from '#features/channels/callbacks.http.ts';
import { channelHandlers } from '#features/channels/channels.http.ts';
import { createPlaces } from '#features/channels/places.ts';
import { dashboardHandlers } from '#features/dashboard/dashboard.http.ts';
import { accessHandlers } from '#features/demo/access.http.ts';
import { type Demo, openDemo } from '#features/demo/demo.service.ts';
import { eventHandlers } from '#features/events/events.http.ts';
import { holdHandlers } from '#features/hold/hold.http.ts';
import { inboxHandlers } from '#features/inbox/inbox.http.ts';
import { createFailures } from '#features/inbox/failures.ts';
import { createOptOuts } from '#features/inbox/opt-outs.ts';
import { createMessageStore, createReportNotes, trimInbox } from '#features/inbox/store-messages.ts';
import { installationHandlers } from '#features/installation/installation.http.ts';
import { jobHandlers } from '#features/jobs/jobs.http.ts';
import { pushHandlers } from '#features/push/push.http.ts';
import { createDevices, openPushKeys } from '#features/push/push-devices.service.ts';
import { startNotices } from '#features/notices/notices.service.ts';
import { realtimeHandlers } from '#features/realtime/realtime.http.ts';
import { reminderHandlers } from '#features/reminders/reminders.http.ts';
import { workspaceHandlers } from '#features/workspaces/workspaces.http.ts';
import { createApp } from '#http/app.ts';
import { listen } from '#http/listen.ts';
import { openApiDocument } from '#http/open-api.ts';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog, type Log } from '#platform/log.ts';
import { migrate, ownMigrations } from '#platform/migrate.ts';
import { watchForNewerVersion } from '#platform/newer-version.ts';
import { createEgressGuard, type EgressGuard, portOf } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http.ts';
import { openPubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { rememberedPorts, rememberPorts } from '#platform/sandbox/ports.ts';
import { type Sandbox, startSandbox } from '#platform/sandbox/sandbox.ts';
import { createSecretBox, loadEncryptionKey, type SecretBox } from '#platform/secrets.ts';
import { createStopStack } from '#platform/stop-stack.ts';
import { assertTenantBoundary } from '#platform/tenant-boundary.ts';
import { deliveryText, heldText, type Links, readyText } from '#terminal.ts';
import { version } from '#version.ts';

export type Cuebird = {
  /** Where people reach it. */
  url: string;
  links: Links;
  database: Database;
  /** Stops claiming, finishes what is in flight within 25 s, gives the rest back, closes everything. */
  stop(): Promise<void>;
};

type Options = {
  say: (text: string) => void;
  limits?: DispatcherLimits;
  /** Lets fault tests stand between the engine and its store or network. */
  wrapEngine?: (deps: EngineDeps) => EngineDeps;
  /** Off in tests that sign up many people from one address. */
  hasSignInLimits?: boolean;
  /** The migrations that this process knows, where a test plays a newer version. */
  migrations?: URL;
};

type Stack = ReturnType<typeof createStopStack>;

type House = {
  config: Config;
  log: Log;
  stack: Stack;
  database: Database;
  secrets: SecretBox;
  hold: Hold;
  ownerUrl: string;
  key: string;
  migrations: URL;
};

const drainMs = 25_000;

/** Starts everything that the configuration asks for, in the order in which one part needs the other. */
export async function startCuebird(config: Config, options: Options): Promise<Cuebird> {
  const log = createLog(config.LOG_LEVEL);
  const stack = createStopStack();
  const stop = () => stack.stopAll((name, error) => log.error({ error: String(error) }, `stopping ${name} failed`));
  try {
    const house = await openHouse({ config, log, stack, migrations: options.migrations ?? ownMigrations });
    return { ...(await openRooms(house, options)), database: house.database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The database, migrated and bounded, and the keys. */
async function openHouse({
  config,
  log,
  stack,
  migrations,
}: Pick<House, 'config' | 'log' | 'stack' | 'migrations'>): Promise<House> {
  const ownerUrl = config.DATABASE_URL ?? (await startOwnPostgres({ config, log, stack }));
  const key = loadEncryptionKey({ envKey: config.ENCRYPTION_KEY, dataDir: config.DATA_DIR });
  await migrate(ownerUrl, { encryptionKey: key, folder: migrations });
  const database = openDatabase(ownerUrl, { encryptionKey: key });
  stack.add('the database pools', () => database.close());
  await assertTenantBoundary(database.appPool);
  const hold = await openHold({ pool: database.engine, clock: systemClock });
  return { config, log, stack, database, hold, secrets: createSecretBox(key), ownerUrl, key, migrations };
}

async function startOwnPostgres({ config, log, stack }: Pick<House, 'config' | 'log' | 'stack'>): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    log: (line) => log.debug({ line }, 'postgres'),
    warn: (text) => log.error(text),
  });
  stack.add('PostgreSQL', () => postgres.stop());
  return postgres.url;
}

async function openRooms(
  house: House,
  { say, limits, wrapEngine = (deps) => deps, hasSignInLimits = true }: Options,
): Promise<Pick<Cuebird, 'url' | 'links'>> {
  const { config, log, stack, database, hold, secrets } = house;
  const pubsub = await openPubSub(urlForRole(house.ownerUrl, { role: 'engine', encryptionKey: house.key }), log);
  stack.add('the listening connection', () => pubsub.close());
  const watch = watchForNewerVersion({ pool: database.engine, pubsub, log, folder: house.migrations });
  stack.add('the watch for a newer version', () => watch.stop());
  // What the sandbox reports goes to this installation; it is known where that is once it listens.
  let url = config.APP_URL ?? `http://localhost:${config.PORT}`;
  const sandbox = config.sandbox ? await openSandbox(house, { ownUrl: () => url }) : null;
  const guard = createEgressGuard({
    allow: config.EGRESS_ALLOW,
    exact: () => (sandbox === null ? [] : [sandbox.smtp, sandbox.http]),
  });
  const smtp = createSmtpPools({ guard });
  stack.add('mail connections', () => smtp.close());
  const mailServer = config.SMTP_URL === undefined ? null : { url: config.SMTP_URL, from: config.MAIL_FROM ?? '' };
  const pushKeys = await openPushKeys(database.engine, secrets);
  const defaults = createDefaultRoutes({
    sandbox,
    mailServer,
    push: { sender: { ...pushKeys, subject: contactOf(config) }, devices: createDevices(database.engine) },
    callbackToken: (of) => defaultCallbackToken(secrets, of),
  });
  const callbackUrlOf = (provider: string, token: string) => callbackUrl(url, { provider, token });

  const account = sandbox?.smtpConfigFor('account') ?? (mailServer === null ? null : smtpConfiguration(mailServer));
  const sendMail = createAccountMailer({ smtp, configuration: account, log });
  const auth = await createAuth({
    pool: database.auth,
    secret: secrets.deriveKey('sessions').toString('base64url'),
    appUrl: config.APP_URL ?? null,
    emailVerification: config.emailVerification,
    google: googleOf(config),
    log,
    rateLimit: hasSignInLimits,
    sendAccountMail: async (mail) => void (await sendMail(mail)),
  });
  stack.add('account mail', () => auth.mailSent());
  const demo = config.demo ? await openDemo({ database, auth, sandbox, now: systemClock.now() }) : null;
  const accountToken = secrets.deriveKey('account inbox').toString('base64url');
  const demoSecret = secrets.deriveKey('demo link').toString('base64url');

  if (config.roles.includes('web')) {
    const closing = new AbortController();
    const tests = openTestNetwork(guard, callbackUrlOf);
    const app = createApp({
      auth,
      db: database.app,
      now: systemClock.now,
      secrets,
      appUrl: config.APP_URL,
      webRoot: fileURLToPath(new URL('../dist/web', import.meta.url)),
      log,
      handlers: {
        ...installationHandlers({
          config,
          database,
          version,
          hasDemo: demo !== null,
          superseded: watch.superseded,
          holdNotice: hold.notice,
          openApi: () => openApiDocument({ version, url }),
        }),
        ...accessHandlers({
          auth,
          pool: database.auth,
          demo: demo === null ? null : { userId: demo.userId, secret: demoSecret },
        }),
        ...holdHandlers({
          notice: hold.notice,
          list: (notice) => listHeld({ pool: database.engine, clock: systemClock }, notice),
          release: (release) => releaseHold({ pool: database.engine, clock: systemClock, log }, release),
        }),
        ...realtimeHandlers({ pubsub, closing: closing.signal }),
        ...workspaceHandlers,
        ...dashboardHandlers,
        ...reminderHandlers({ guard }),
        ...jobHandlers,
        ...channelHandlers({ secrets, guard, url: () => url, network: tests, places: createPlaces(5) }),
        ...callbackHandlers({ db: database.app, secrets, clock: systemClock, url: () => url, defaults }),
        ...pushHandlers({ publicKey: pushKeys.public_key, guard }),
        ...eventHandlers({ db: database.app, secrets, now: systemClock.now, url: () => url }),
        ...apiKeyHandlers,
        ...inboxHandlers({ sandbox, auth: database.auth, accountToken }),
      },
    });
    const listening = await listen(app, { host: config.HOST, port: config.PORT, isPortFixed: config.isPortFixed });
    stack.add('the web server', () => {
      closing.abort();
      return listening.close();
    });
    // Before the web server, which waits for its answers: a test may be waiting for a server that hangs.
    stack.add('the connections of tests', () => tests.close());
    url = config.APP_URL ?? listening.url;
  }

  const links: Links = {
    url,
    demo: demo === null ? null : `${url}/api/demo/enter?token=${demoToken(demoSecret)}`,
    inbox: sandbox === null ? null : `${url}/inbox`,
    accountMail: sandbox === null ? null : `${url}/inbox?token=${accountToken}`,
    claim: await claimLink(house, url),
  };
  if (config.roles.includes('worker'))
    await openEngine(house, {
      pubsub,
      defaults,
      callbackUrlOf,
      guard,
      smtp,
      sendMail: account === null ? null : sendMail,
      demo,
      links,
      say,
      limits,
      wrapEngine,
      superseded: watch.superseded,
    });
  say(readyText(links));
  const notice = await hold.notice();
  if (notice !== null) {
    const held = await listHeld({ pool: database.engine, clock: systemClock }, notice);
    log.warn({ ...notice, due: held.due, later: held.later }, 'deliveries are held');
    say(heldText(held));
  }
  return { url, links };
}

/** People wait for a test: a mail server gets a minute, where a delivery has five. */
function openTestNetwork(
  guard: EgressGuard,
  callbackUrlOf: Network['callbackUrl'],
): Network & { close(): Promise<void> } {
  const http = createOutboundHttp({ guard });
  const smtp = createSmtpPools({ guard, timeouts: { totalMs: 60_000 } });
  const close = () => {
    smtp.close();
    return http.close();
  };
  return { http, smtp, now: systemClock.now, callbackUrl: callbackUrlOf, close };
}

async function openSandbox(
  { config, database, secrets, stack }: House,
  { ownUrl }: { ownUrl: () => string },
): Promise<Sandbox> {
  await trimInbox(database.engine);
  const ports = await rememberedPorts(database.engine);
  const guard = createEgressGuard({ allow: config.EGRESS_ALLOW, exact: () => loopbackOf(ownUrl()) });
  const http = createOutboundHttp({ guard });
  stack.add('connections of the sandbox', () => http.close());
  const options = {
    store: createMessageStore(database.engine),
    secret: secrets.deriveKey('sandbox'),
    failureFor: createFailures(database.engine),
    hasOptedOut: createOptOuts(database.engine),
    webhookOf: createAccountWebhooks(database.engine, { secrets, url: ownUrl }),
    calling: { post: http.request, note: createReportNotes(database.engine), delayMs: 800 },
  };
  // Another program may have taken a port of the last start.
  const sandbox = await startSandbox({ ...options, ...ports }).catch(() => startSandbox(options));
  stack.add('the sandbox', () => sandbox.stop());
  await rememberPorts(database.engine, { smtpPort: sandbox.smtp.port, httpPort: sandbox.http.port });
  return sandbox;
}

/** Whom push services may ask about what this installation sends (RFC 8292, section 2.1). */
function contactOf({ APP_URL, MAIL_FROM }: Config): string {
  if (APP_URL?.startsWith('https://') === true) return APP_URL;
  const address = /[^\s<>]+@[^\s<>]+/.exec(MAIL_FROM ?? '')?.[0];
  return `mailto:${address ?? 'push@cuebird.invalid'}`;
}

/** Where an address on this machine is reached; nothing for one elsewhere. */
function loopbackOf(text: string): { host: string; port: number }[] {
  const url = new URL(text);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return isHere ? ['127.0.0.1', '::1'].map((host) => ({ host, port: portOf(url) })) : [];
}

const googleOf = ({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret }: Config) =>
  clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };

async function claimLink({ database }: House, url: string): Promise<string | null> {
  const token = await prepareClaim(database.auth);
  return token === null ? null : `${url}/claim?token=${token}`;
}

type Delivering = {
  pubsub: Awaited<ReturnType<typeof openPubSub>>;
  defaults: DefaultRoute;
  callbackUrlOf: Network['callbackUrl'];
  guard: ReturnType<typeof createEgressGuard>;
  smtp: ReturnType<typeof createSmtpPools>;
  sendMail: ReturnType<typeof createAccountMailer> | null;
  demo: Demo | null;
  links: Links;
  superseded: AbortSignal;
};

async function openEngine(
  house: House,
  {
    pubsub,
    defaults,
    callbackUrlOf,
    guard,
    smtp,
    sendMail,
    demo,
    links,
    say,
    limits,
    wrapEngine,
    superseded,
  }: Delivering & Required<Pick<Options, 'wrapEngine'>> & Options,
): Promise<void> {
  const { config, log, stack, database, hold, secrets } = house;
  const http = createOutboundHttp({ guard });
  stack.add('outgoing connections', () => http.close());
  const isHeld = async () => (await hold.notice()) !== null;
  const pool = database.engine;
  const notices = startNotices({ pool, clock: systemClock, log, url: links.url, sendMail, isHeld });
  stack.add('notices', () => notices.stop());
  const deps = wrapEngine({
    pool,
    pubsub,
    secrets,
    defaults,
    network: { http, smtp, now: systemClock.now, callbackUrl: callbackUrlOf },
    clock: systemClock,
    random: Math.random,
    log,
    isAlone: config.DATABASE_URL === undefined,
    isHeld,
    onUnsent: notices.wake,
    billing: config.BILLING,
    limits,
    onRecorded: (recorded) => {
      const isFirst = demo?.isNew === true && recorded.run.job.workspace_id === demo.workspaceId;
      if (isFirst) say(deliveryText(recorded, { inbox: links.inbox ?? links.url, now: systemClock.now() }));
    },
  });
  const engine = await startEngine(deps);
  stack.add('the engine', () => engine.stop(drainMs));
  // What is due is the newer version's to send; people may go on reading here.
  const retire = () => void Promise.all([engine.stop(drainMs), notices.stop()]);
  if (superseded.aborted) retire();
  else superseded.addEventListener('abort', retire);
}
