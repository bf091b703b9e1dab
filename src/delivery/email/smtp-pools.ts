import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type EgressGuard, EgressRefused } from '#platform/outbound/guard.ts';
import { describeNetworkError, isOwnFault } from '#platform/outbound/network-error.ts';
import type { Mail, SmtpAnswer, SmtpPools, SmtpServer } from '#delivery/adapter.ts';
import { sendableAddress } from './mime/mailbox.ts';
import { mimeMessage } from './mime/mime-message.ts';
import { GuardedSmtpPool, SendFault, SmtpUtf8Missing } from './smtp-pool.ts';

export type SmtpTimeouts = {
  connectMs: number;
  /** The time from the connection to the server's greeting; also the limit for STARTTLS. */
  greetingMs: number;
  /** The longest silence of the server. */
  silenceMs: number;
  /** From the call to the result, including the wait for a free connection. */
  totalMs: number;
};

/** SMTP connections kept open per server configuration. With too many servers, the least used one's are closed. */
export function createSmtpPools(options: {
  guard: EgressGuard;
  timeouts?: Partial<SmtpTimeouts>;
  maxServers?: number;
}): SmtpPools {
  const timeouts = { connectMs: 15_000, greetingMs: 30_000, silenceMs: 60_000, totalMs: 300_000, ...options.timeouts };
  const pools = new LRUCache<string, Pool>({ max: options.maxServers ?? 200, dispose: retire });
  const keys = new WeakMap<SmtpServer, string>();

  function poolFor(server: SmtpServer): Pool {
    let key = keys.get(server);
    if (!key) keys.set(server, (key = keyOf(server)));
    let pool = pools.get(key);
    if (!pool) pools.set(key, (pool = openPool(server, { guard: options.guard, timeouts })));
    return pool;
  }

  async function send(server: SmtpServer, mail: Mail): Promise<SmtpAnswer> {
    const encoded = {
      bytes: mimeMessage(mail),
      messageId: mail.messageId,
      from: sendableAddress(mail.returnAddress ?? mail.from.address),
      to: sendableAddress(mail.to.address),
      envelopeId: mail.envelopeId,
    };
    const pool = poolFor(server);
    // Not AbortSignal.timeout, whose timer goes on when the mail has been sent.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeouts.totalMs).unref();
    pool.pending++;
    try {
      const { response } = await pool.smtp.deliver(encoded, deadline.signal);
      return { kind: 'accepted', response: oneReply(response) };
    } catch (error) {
      return answerFor(error);
    } finally {
      clearTimeout(timer);
      pool.pending--;
      if (pool.isRetired && pool.pending === 0) pool.smtp.close();
    }
  }

  function close(): void {
    for (const pool of pools.values()) pool.smtp.close({ force: true });
    pools.clear();
  }

  return { send, close };
}

type Pool = {
  smtp: GuardedSmtpPool;
  pending: number;
  isRetired: boolean;
};

function openPool(server: SmtpServer, { guard, timeouts }: { guard: EgressGuard; timeouts: SmtpTimeouts }): Pool {
  const isTlsFromTheStart = server.smtp_port === 465;
  const smtp = new GuardedSmtpPool(guard, {
    host: server.smtp_host,
    port: server.smtp_port,
    secure: isTlsFromTheStart,
    requireTLS: !isTlsFromTheStart && server.use_tls,
    ignoreTLS: !server.use_tls,
    ...(server.password !== '' && { auth: { user: server.username, pass: server.password } }),
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silenceMs,
    maxConnections: 5,
    maxMessages: 500,
    // A connection that the server closed while idle costs one attempt on another connection.
    maxRequeues: 2,
    idleTimeout: 30_000,
  });
  return { smtp, pending: 0, isRetired: false };
}

/** Closing a pool fails its waiting mails, so a busy pool closes after its last mail. */
function retire(pool: Pool): void {
  pool.isRetired = true;
  if (pool.pending === 0) pool.smtp.close();
}

function keyOf(server: SmtpServer): string {
  return createHash('sha256').update(JSON.stringify(server)).digest('base64');
}

function answerFor(fault: unknown): SmtpAnswer {
  const error = fault instanceof SendFault ? fault.cause : fault;
  const isHandedOver = fault instanceof SendFault && fault.isHandedOver;
  if (error instanceof EgressRefused || error instanceof SmtpUtf8Missing)
    return { kind: 'refused', reason: error.message };
  const { code, response, responseCode, permanent = true } = detailsOf(error);
  if (code === 'ETLS' && response) {
    return { kind: 'not_sent', reason: `the server offers no encryption (STARTTLS): ${oneReply(response)}` };
  }
  const step = code === 'EAUTH' ? 'login' : 'message';
  if (response && responseCode) return { kind: 'declined', step, words: oneReply(response), isPermanent: permanent };
  // Without a server reply, these three come from nodemailer: an invalid address, a message too large, no usable login.
  if (code === 'EENVELOPE' || code === 'EMESSAGE' || code === 'EAUTH') {
    return { kind: 'declined', step, words: describeNetworkError(error), isPermanent: true };
  }
  const reason =
    code === 'EABORT' || code === 'ETIMEDOUT' ? 'the server did not answer in time' : describeNetworkError(error);
  return isHandedOver
    ? { kind: 'lost', reason }
    : { kind: 'not_sent', reason, ...(isOwnFault(error) && { isOwnFault: true }) };
}

/** The fields that nodemailer sets on its errors. `permanent` comes with `responseCode`. */
const FaultDetails = z.object({
  code: z.string().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
  permanent: z.boolean().optional().catch(undefined),
});

function detailsOf(error: unknown): z.output<typeof FaultDetails> {
  return error instanceof Error ? FaultDetails.parse(error) : {};
}

/** Joins the lines of a reply, without NUL characters, which the database cannot store. */
function oneReply(response: string): string {
  const [first = '', ...rest] = response.split('\n');
  return [first, ...rest.map((line) => line.replace(/^\d{3}[ -]/, ''))]
    .map((line) => line.trimEnd())
    .join(' ')
    .replaceAll('\0', '')
    .slice(0, 500);
}
