import type pg from 'pg';
import type { Action } from '#contract/acts.ts';
import {
  type OwnSupportRequest,
  supportAnswerHours,
  type SupportCategory,
  supportCategoryNames,
  type SupportRequest,
  type SubmittedRequest,
  type SupportRequestInput,
  type WholeSupportRequest,
} from '#contract/support.ts';
import { oneLine } from '#domain/one-line.ts';
import * as rows from '#features/support/support.db.ts';
import { recordInstallationAct } from '#platform/audit.ts';
import type { Clock } from '#platform/clock.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound, RateLimited, Unavailable } from '#platform/errors.ts';
import { limitSubject } from '#platform/limit-subject.ts';
import type { Log } from '#platform/log.ts';
import { pageOf } from '#platform/page.ts';
import { spendInNetworks } from '#platform/network-limit.ts';
import { spend, type WindowLimit } from '#platform/rate-limit.ts';

type Mail = { to: string; subject: string; text: string; replyTo?: string };

/** After these waits, in seconds, the mail to support is tried again. */
const mailedAfterSeconds = [0, 10, 60, 300];

export type SupportPorts = {
  db: rows.SupportDb;
  /** Connected as the role cuebird_auth, which writes acts of the installation. */
  pool: Pick<pg.Pool, 'query'>;
  log: Log;
  clock: Pick<Clock, 'now' | 'sleepUntil'>;
  /** Aborts waits for the mail server when this process stops. */
  closing: AbortSignal;
  /** The address at which people reach Cuebird. */
  url: () => string;
  /** The value of SUPPORT_EMAIL. */
  supportEmail: string | undefined;
  /** Whether mail leaves the installation; without a mail server it stays in the sandbox. */
  hasMailServer: boolean;
  /** Sends a mail. Returns whether it was accepted. */
  sendMail: (mail: Mail) => Promise<boolean>;
  hasLimits: boolean;
  /** Takes work that continues after the answer. */
  continueWith: (work: Promise<void>) => void;
};

/**
 * Stores a request. After the answer it is mailed to support, and its number to the address that it gives. Throws RateLimited.
 * @returns its number, whether that is mailed, and within how many hours an answer is promised: nobody promises one where nobody is told
 */
export async function submitRequest(
  ports: SupportPorts,
  { leave_empty: trap = '', ...asked }: SupportRequestInput,
  { clientAddress }: { clientAddress: string },
): Promise<SubmittedRequest> {
  const now = ports.clock.now();
  const answerHours = ports.supportEmail === undefined ? null : supportAnswerHours;
  if (ports.hasLimits) await admitSupportRequest(ports.db, { clientAddress, now });
  // A program filled in the hidden field. It gets the usual answer.
  const answer = { answer_hours: answerHours, is_mailed: ports.hasMailServer };
  if (trap !== '') return { number: null, ...answer };
  const { id, number } = await rows.insertRequest(ports.db, { ...asked, now });
  ports.continueWith(mailRequest(ports, { ...asked, id, number }));
  ports.continueWith(mailNumber(ports, { ...asked, number, answerHours }));
  return { number, ...answer };
}

/** Mails a request, in a few tries. One that stays unmailed, or comes after too many, is still in the console. */
async function mailRequest(ports: SupportPorts, request: Parameters<typeof requestMail>[0]): Promise<void> {
  const { db, log, clock, closing, url, supportEmail, sendMail, hasLimits } = ports;
  if (supportEmail === undefined) return;
  if (hasLimits && !(await mayMail(ports)))
    return log.warn(
      { id: request.id },
      'a support request was not mailed: too many came today, answer it in the console',
    );
  for (const seconds of mailedAfterSeconds) {
    await clock.sleepUntil(clock.now().add({ seconds }), closing);
    if (seconds > 0 && closing.aborted) break;
    try {
      if (await sendMail({ to: supportEmail, ...requestMail(request, url()) }))
        return void (await rows.markMailed(db, { id: request.id, now: clock.now() }));
    } catch (error) {
      log.warn({ error: String(error) }, 'a support request could not be mailed');
    }
  }
  log.warn({ id: request.id }, 'a support request was not mailed: answer it in the console');
}

/** Mails the number of a request to the address that it gives, once and not to one that gets several in a day. */
async function mailNumber(
  { db, log, clock, url, supportEmail, sendMail, hasLimits }: SupportPorts,
  {
    email,
    category,
    number,
    answerHours,
  }: Pick<Asked, 'email' | 'category' | 'number'> & { answerHours: number | null },
): Promise<void> {
  const counted = { subject: limitSubject(['support', email]) };
  try {
    if (hasLimits && (await spend(db, { counted, limit: ofNumbers, now: clock.now() })).isRefused) return;
    await sendMail({
      to: email,
      ...(supportEmail !== undefined && { replyTo: supportEmail }),
      ...numberMail({ category, number, answerHours }, url()),
    });
  } catch (error) {
    log.warn({ error: String(error), number }, 'the number of a support request could not be mailed');
  }
}

/** The latest 200 requests to support from the confirmed address of the person's account. */
export const requestsOf = (db: rows.SupportDb, userId: string): Promise<OwnSupportRequest[]> =>
  rows.findRequestsOf(db, { userId, most: 200 });

export async function listRequests(
  { db }: Pick<SupportPorts, 'db'>,
  { status, limit, cursor }: { status: 'open' | 'closed'; limit: number; cursor?: string | undefined },
): Promise<{ data: SupportRequest[]; next_cursor: string | null }> {
  const found = await rows.findRequests(db, { isClosed: status === 'closed', after: decodeCursor(cursor), limit });
  return pageOf(found, { at: (request) => request.created_at });
}

/** A request with its answers. Throws NotFound. */
export async function findRequest({ db }: Pick<SupportPorts, 'db'>, id: string): Promise<WholeSupportRequest> {
  const request = await rows.findRequest(db, id);
  if (request === undefined) throw new NotFound('support request');
  return request;
}

type Acting = { id: string; actorId: string; clientAddress: string };

/** Mails the answer, then stores it. Throws NotFound, and Unavailable where no server accepts the mail. */
export async function answerRequest(
  ports: SupportPorts,
  { message, closes, ...by }: Acting & { message: string; closes: boolean },
): Promise<WholeSupportRequest> {
  const request = await findRequest(ports, by.id);
  const mail = answerMail(request, { answer: message, replyTo: ports.supportEmail });
  if (!(await ports.sendMail(mail)))
    throw new Unavailable('The mail server did not accept the answer. It was not sent; try again.');
  await rows.insertAnswer(ports.db, { id: by.id, authorId: by.actorId, message, now: ports.clock.now() });
  await record(ports, { ...by, action: 'admin.support_answered', email: request.email });
  return closes ? setClosed(ports, { ...by, isClosed: true }) : findRequest(ports, by.id);
}

/** Closes or reopens a request. Throws NotFound. */
export async function setClosed(
  ports: SupportPorts,
  { isClosed, ...by }: Acting & { isClosed: boolean },
): Promise<WholeSupportRequest> {
  const hasChanged = await rows.setClosed(ports.db, { id: by.id, isClosed, now: ports.clock.now() });
  const request = await findRequest(ports, by.id);
  const action = isClosed ? 'admin.support_closed' : 'admin.support_reopened';
  if (hasChanged) await record(ports, { ...by, action, email: request.email });
  return request;
}

const record = (
  { pool, clock }: SupportPorts,
  { id, email, ...by }: Acting & { action: Extract<Action, `admin.support_${string}`>; email: string },
) => recordInstallationAct(pool, { ...by, target: id, details: { email }, now: clock.now() });

const hour = 3_600;
const day = 24 * hour;

const ofAddress: WindowLimit = { bucket: 'support.address', most: 10, seconds: hour };
/** The limit of all requests together. It ends within the hour: a flood keeps nobody out for a day. */
const ofInstallation: WindowLimit = { bucket: 'support.stored', most: 300, seconds: hour };
/** The mails to support; what comes beyond is in the console. */
const ofMails: WindowLimit = { bucket: 'support.mails', most: 300, seconds: day };

/** Counts a request before it is stored. Throws RateLimited over the limit. */
async function admitSupportRequest(
  db: rows.SupportDb,
  { clientAddress, now }: { clientAddress: string; now: Temporal.Instant },
): Promise<void> {
  const address = await spendInNetworks(db, { kind: 'support', clientAddress, limit: ofAddress, now });
  if (address.isRefused) throw new RateLimited('Too many support requests came from your network.', address);
  const all = await spend(db, { counted: everybody, limit: ofInstallation, now });
  if (all.isRefused) throw new RateLimited('Too many support requests came in this hour.', all);
}

/** The mails with a number to one address: whoever enters another person's address fills no inbox. */
const ofNumbers: WindowLimit = { bucket: 'support.numbers', most: 3, seconds: day };

const mayMail = async ({ db, clock }: SupportPorts): Promise<boolean> =>
  !(await spend(db, { counted: everybody, limit: ofMails, now: clock.now() })).isRefused;

const everybody = { subject: limitSubject(['support']) };

type Asked = { id: string; number: number; email: string; category: SupportCategory; subject: string; message: string };

/** The mail to support, whose replies go to the person who asked. */
const requestMail = ({ id, number, email, category, subject, message }: Asked, url: string) => ({
  replyTo: email,
  subject: `Support request ${number}: ${oneLine(subject)}`,
  text: [
    message,
    `From ${email}, about: ${supportCategoryNames[category]}`,
    `Answer this mail, or answer and close the request here: ${url}/admin?tab=support&request=${id}`,
  ].join('\n\n'),
});

/** The mail that confirms a request. It repeats nothing that was typed: anybody may enter anybody's address. */
const numberMail = (
  { category, number, answerHours }: Pick<Asked, 'category' | 'number'> & { answerHours: number | null },
  url: string,
) => ({
  subject: `Your support request ${number}`,
  text: [
    `We have your request ${number}, about: ${supportCategoryNames[category]}.${answerHours === null ? '' : ` We answer within ${answerHours} hours.`}`,
    `Answers come to this address. They are in your settings, too, with the state of the request, if you have an account with this address and it is confirmed: ${url}/settings`,
    'If you have asked nothing, somebody entered your address: you can ignore this mail.',
  ].join('\n\n'),
});

/** The mail to the person who asked. */
const answerMail = (
  { email, number, subject, message }: Pick<Asked, 'email' | 'number' | 'subject' | 'message'>,
  { answer, replyTo }: { answer: string; replyTo: string | undefined },
) => ({
  to: email,
  ...(replyTo !== undefined && { replyTo }),
  subject: `Re: ${oneLine(subject)} (request ${number})`,
  text: `${answer}\n\n-- \nYou asked:\n\n${message.replaceAll(/^/gm, '> ')}`,
});
