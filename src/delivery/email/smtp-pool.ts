import type { Readable } from 'node:stream';
import SMTPPool, { type SMTPPoolOptions, type SMTPPoolSendCallback } from 'nodemailer/lib/smtp-pool';
import type { MailMessage } from 'nodemailer';
import { z } from 'zod';
import { needsSmtpUtf8 } from '#contract/email-address.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import { openSocket } from '#platform/outbound/socket.ts';

/** A send that failed, and whether the message had been handed over. */
export class SendFault extends Error {
  /** True once the final dot was being sent: from then on the server may have accepted the message. */
  readonly isHandedOver: boolean;

  constructor(cause: Error, isHandedOver: boolean) {
    super(cause.message, { cause });
    this.isHandedOver = isHandedOver;
  }
}

/** Nothing was sent: the server does not support this address (RFC 6531, section 3.2). */
export class SmtpUtf8Missing extends Error {
  constructor(address: string) {
    super(
      `the mail server does not support SMTPUTF8 (RFC 6531), which ${address} needs: it has non-ASCII letters before the @`,
    );
  }
}

/** nodemailer's connections, which it does not declare. */
const Connections = z.array(
  z.object({
    queueEntry: z.object({ mail: z.unknown() }).or(z.literal(false)).optional(),
    connection: z.object({ _supportedExtensions: z.array(z.string()) }).optional(),
  }),
);

/**
 * nodemailer's pool with connections through the egress guard. Its errors also say whether a connection was lost before
 * or after the message was handed over.
 */
export class GuardedSmtpPool extends SMTPPool {
  readonly #guard: EgressGuard;

  constructor(
    guard: EgressGuard,
    options: SMTPPoolOptions & { host: string; port: number; connectionTimeout: number },
  ) {
    super(options);
    this.#guard = guard;
    this.getSocket = (_options, callback) => {
      const { host, port, connectionTimeout: timeoutMs } = options;
      openSocket({ guard: this.#guard, host, port, timeoutMs }).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error),
      );
    };
  }

  override send(mail: MailMessage<SMTPPool.SentMessageInfo>, callback: SMTPPoolSendCallback): boolean {
    const { message } = mail;
    const utf8Address = [message.getEnvelope()].flatMap(({ from, to }) => [from || '', ...to]).find(needsSmtpUtf8);
    let isRefused = false;
    if (utf8Address !== undefined) {
      const getEnvelope = message.getEnvelope.bind(message);
      // nodemailer calls this once it is connected and before it sends anything. An empty envelope ends the attempt
      // then.
      message.getEnvelope = () => {
        const offered = this.#extensionsFor(mail);
        isRefused = offered !== null && !offered.includes('SMTPUTF8');
        const envelope = getEnvelope();
        return isRefused ? { ...envelope, to: [] } : envelope;
      };
    }
    const createReadStream = message.createReadStream.bind(message);
    let source: Readable | null = null;
    message.createReadStream = (options) => {
      source = createReadStream(options);
      return source;
    };
    return super.send(mail, (error, info) => {
      if (!error) return callback(null, info);
      if (isRefused && utf8Address !== undefined) return callback(new SmtpUtf8Missing(utf8Address));
      callback(new SendFault(error, source?.readableEnded ?? false));
    });
  }

  /**
   * The extensions that the server offers on this mail's connection; null without a connection; empty when they cannot
   * be read.
   */
  #extensionsFor(mail: MailMessage): string[] | null {
    const connections = Connections.safeParse(Reflect.get(this, '_connections')).data;
    if (connections === undefined) return [];
    const own = connections.find(({ queueEntry }) => queueEntry && queueEntry.mail === mail);
    return own?.connection?._supportedExtensions ?? null;
  }
}
