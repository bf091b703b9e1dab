import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import { type DemoRequest, type DemoRequestInput, keptDemoRequests } from '#contract/demo-requests.ts';
import { RateLimited } from '#platform/errors.ts';
import { limitSubject } from '#platform/limit-subject.ts';
import type { Log } from '#platform/log.ts';
import { spendInNetworks } from '#platform/network-limit.ts';
import { spend, type Spent } from '#platform/rate-limit.ts';
import type { Schema } from '#platform/schema.ts';

export type DemoRequestPorts = {
  /** Connected as the role cuebird_auth. */
  auth: Pool;
  /** False only in tests. */
  hasLimits: boolean;
  /** The value of SUPPORT_EMAIL; null where it is not set, when only the console shows the requests. */
  supportEmail: string | null;
  /** Sends a mail. Returns whether it was accepted; null where there is no mail server. */
  sendMail: ((mail: { to: string; subject: string; text: string }) => Promise<boolean>) | null;
  url: () => string;
  now: () => Temporal.Instant;
  log: Log;
};

const day = 24 * 3_600;
/** The limit of one network. */
const ofNetwork = { bucket: 'demo-requests.network', most: 5, seconds: 3_600 };
/** The limit of everybody together. It ends within the hour: a flood keeps nobody out for a day. */
const ofAll = { bucket: 'demo-requests.stored', most: 300, seconds: 3_600 };
/** The mails to support; what comes beyond is in the console. */
const ofMails = { bucket: 'demo-requests.mails', most: 100, seconds: day };

/**
 * Stores a request for a demo and mails it to support. A mail that fails, or comes after too many, is only logged: the console shows the request. Throws
 * RateLimited over the limits.
 */
export async function requestDemo(
  ports: DemoRequestPorts,
  { body, clientAddress }: { body: DemoRequestInput; clientAddress: string },
): Promise<void> {
  const { auth, now: clock, log, supportEmail, sendMail } = ports;
  const { website = '', ...request } = body;
  if (website !== '') return;
  const now = clock();
  if (ports.hasLimits) await admit(auth, { clientAddress, now });
  await insertDemoRequest(auth, { ...request, now });
  await deleteOldDemoRequests(auth, {
    before: now.subtract({ hours: keptDemoRequests.days * 24 }),
    most: keptDemoRequests.most,
  });
  if (supportEmail === null || sendMail === null) return;
  const mail = { to: supportEmail, ...demoRequestMail({ ...request, url: ports.url() }) };
  if (ports.hasLimits && !(await mayMail(auth, now)))
    return log.warn({}, 'a request for a demo was not mailed: too many came today, and the console shows them');
  // Not awaited: the visitor does not wait for the mail server.
  sendMail(mail).catch((error: unknown) => log.warn({ error: String(error) }, 'a request for a demo was not mailed'));
}

async function admit(auth: Pool, { clientAddress, now }: { clientAddress: string; now: Temporal.Instant }) {
  const db = limitsOf(auth);
  const tooMany = (spent: Spent) => new RateLimited('Too many requests for a demo.', spent);
  const network = await spendInNetworks(db, { kind: 'demo requests', clientAddress, limit: ofNetwork, now });
  if (network.isRefused) throw tooMany(network);
  const all = await spend(db, { counted: everybody, limit: ofAll, now });
  if (all.isRefused) throw tooMany(all);
}

const mayMail = async (auth: Pool, now: Temporal.Instant): Promise<boolean> =>
  !(await spend(limitsOf(auth), { counted: everybody, limit: ofMails, now })).isRefused;

const everybody = { subject: limitSubject(['demo requests']) };

const limitsOf = (auth: Pool) => new Kysely<Schema>({ dialect: new PostgresDialect({ pool: auth }) });

export const listDemoRequests = async (auth: Pool): Promise<{ data: DemoRequest[] }> => ({
  data: await findDemoRequests(auth, { most: keptDemoRequests.most }),
});

/** The mail to support. */
const demoRequestMail = ({
  name,
  email,
  message,
  url,
}: {
  name: string;
  email: string;
  message: string;
  url: string;
}) => ({
  subject: 'Cuebird: somebody asks for a demo',
  text: [
    `${name} <${email}> asks for a demo.`,
    message.trim() === '' ? 'They wrote no message.' : message,
    `Answer them at ${email}; this mail comes from Cuebird. All requests: ${url}/admin?tab=demo-requests`,
  ].join('\n\n'),
});

const insertDemoRequest = (
  auth: Pool,
  { name, email, message, now }: Omit<DemoRequestInput, 'website'> & { now: Temporal.Instant },
) =>
  auth.query('insert into demo_requests (name, email, message, created_at) values ($1, $2, $3, $4)', [
    name,
    email,
    message,
    now.toString(),
  ]);

/** Deletes requests that are too old, or beyond the newest `most`. */
const deleteOldDemoRequests = (auth: Pool, { before, most }: { before: Temporal.Instant; most: number }) =>
  auth.query(
    `delete from demo_requests
      where created_at < $1 or id in (select id from demo_requests order by created_at desc, id desc offset $2)`,
    [before.toString(), most],
  );

async function findDemoRequests(auth: Pool, { most }: { most: number }): Promise<DemoRequest[]> {
  const { rows } = await auth.query<DemoRequest>(
    'select id, name, email, message, created_at from demo_requests order by created_at desc, id desc limit $1',
    [most],
  );
  return rows;
}
