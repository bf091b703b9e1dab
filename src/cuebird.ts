import { createAuth } from '#features/auth/auth.service.ts';
import { prepareClaim } from '#features/auth/claim.service.ts';
import { demoToken } from '#features/demo/demo-link.ts';
import { openDemo } from '#features/demo/demo.service.ts';
import { listHeld } from '#engine/held-jobs.ts';
import type { DispatcherLimits } from '#engine/dispatcher.ts';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { ownMigrations } from '#platform/migrate.ts';
import { heldText, type Links, readyText } from '#terminal.ts';
import type { StartDeliveries } from '#wiring/deliveries.ts';
import { buildHouse, type House, layFoundation } from '#wiring/house.ts';
import { openSandbox } from '#wiring/sandbox.ts';
import { openWaysOut, type WaysOut } from '#wiring/ways-out.ts';
import { openWeb } from '#wiring/web.ts';

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
  /** In a thread, or here where a test stands in between. */
  startDeliveries: StartDeliveries;
  limits?: DispatcherLimits;
  /** Off in tests that sign up many people from one address. */
  hasSignInLimits?: boolean;
  /** The migrations that this process knows, where a test plays a newer version. */
  migrations?: URL;
};

/** Starts everything that the configuration asks for, in the order in which one part needs the other. */
export async function startCuebird(config: Config, options: Options): Promise<Cuebird> {
  const { stop, ...foundation } = layFoundation(config);
  try {
    const house = await buildHouse({ ...foundation, migrations: options.migrations ?? ownMigrations });
    return { ...(await openRooms(house, options)), database: house.database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openRooms(
  house: House,
  { say, startDeliveries, limits, hasSignInLimits = true }: Options,
): Promise<Pick<Cuebird, 'url' | 'links'>> {
  const { config, stack, database, secrets } = house;
  // What the sandbox reports goes to this installation; it is known where that is once it listens.
  let url = config.APP_URL ?? `http://localhost:${config.PORT}`;
  const sandbox = config.sandbox ? await openSandbox(house, { ownUrl: () => url }) : null;
  const ways = await openWaysOut(house, { sandbox, url: () => url });
  const auth = await openAuth(house, { ways, hasSignInLimits });
  const opened = config.demo ? await openDemo({ database, auth, sandbox, now: systemClock.now() }) : null;
  const demo = opened === null ? null : { ...opened, secret: secrets.deriveKey('demo link').toString('base64url') };
  const accountToken = secrets.deriveKey('account inbox').toString('base64url');
  if (config.roles.includes('web')) {
    const listening = await openWeb(house, { auth, ways, sandbox, demo, accountToken, url: () => url });
    url = config.APP_URL ?? listening;
  }
  const links: Links = {
    url,
    demo: demo === null ? null : `${url}/api/demo/enter?token=${demoToken(demo.secret)}`,
    inbox: sandbox === null ? null : `${url}/inbox`,
    accountMail: sandbox === null ? null : `${url}/inbox?token=${accountToken}`,
    claim: await claimLink(house, url),
  };
  if (config.roles.includes('worker')) {
    const { ownerUrl, encryptionKey, migrations } = house;
    const deliveries = await startDeliveries(
      {
        keys: { config, ownerUrl, encryptionKey, migrations },
        url,
        inbox: links.inbox,
        sandboxPorts: sandbox === null ? null : { smtpPort: sandbox.smtp.port, httpPort: sandbox.http.port },
        toldWorkspace: demo?.isNew === true ? demo.workspaceId : null,
        limits,
      },
      { say },
    );
    stack.add('deliveries', () => deliveries.stop());
  }
  say(readyText(links));
  await sayWhatIsHeld(house, say);
  return { url, links };
}

async function openAuth(
  { config, log, stack, database, secrets }: House,
  { ways, hasSignInLimits }: { ways: WaysOut; hasSignInLimits: boolean },
) {
  const auth = await createAuth({
    pool: database.auth,
    secret: secrets.deriveKey('sessions').toString('base64url'),
    appUrl: config.APP_URL ?? null,
    emailVerification: config.emailVerification,
    google: googleOf(config),
    log,
    rateLimit: hasSignInLimits,
    sendAccountMail: async (mail) => void (await ways.sendMail(mail)),
  });
  stack.add('account mail', () => auth.mailSent());
  return auth;
}

const googleOf = ({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret }: Config) =>
  clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };

async function claimLink({ database }: House, url: string): Promise<string | null> {
  const token = await prepareClaim(database.auth);
  return token === null ? null : `${url}/claim?token=${token}`;
}

async function sayWhatIsHeld({ database, hold, log }: House, say: Options['say']): Promise<void> {
  const notice = await hold.notice();
  if (notice === null) return;
  const held = await listHeld({ pool: database.engine, clock: systemClock }, notice);
  log.warn({ ...notice, due: held.due, later: held.later }, 'deliveries are held');
  say(heldText(held));
}
