import type { Readable } from 'node:stream';
import SMTPPool, { type SMTPPoolOptions, type SMTPPoolSendCallback } from 'nodemailer/lib/smtp-pool';
import type { MailMessage } from 'nodemailer';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import { openSocket } from '#platform/outbound/socket.ts';

/** A send that failed, with how much of the message had been handed to the connection. */
export class SendFault extends Error {
  /** True once the end of the message, the final dot, was on its way: from then on the server may have taken it. */
  readonly isHandedOver: boolean;

  constructor(cause: Error, isHandedOver: boolean) {
    super(cause.message, { cause });
    this.isHandedOver = isHandedOver;
  }
}

/**
 * nodemailer's pool with connections through the egress guard, and with the one thing its errors do not tell: a lost
 * connection looks the same before and after the message.
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
    const createReadStream = message.createReadStream.bind(message);
    let source: Readable | null = null;
    message.createReadStream = (options) => {
      source = createReadStream(options);
      return source;
    };
    return super.send(mail, (error, info) => {
      if (!error) return callback(null, info);
      callback(new SendFault(error, source?.readableEnded ?? false));
    });
  }
}
