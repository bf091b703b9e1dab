import { Readable } from 'node:stream';
import { createTransport, type MailMessage, type SMTPPoolSentMessageInfo } from 'nodemailer';
import SmtpMessage from 'nodemailer/lib/mailer/mail-message';
import MimeNode from 'nodemailer/lib/mime-node';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import SMTPPool, { type SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import { z } from 'zod';
import { needsSmtpUtf8 } from '#contract/email-address.ts';
import { gatherWrites } from '#platform/gathered-writes.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import { openSocket } from '#platform/outbound/socket.ts';
import { boundReplies } from './smtp-replies.ts';

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

/** A mail in its encoded form, and where it goes. */
type EncodedMail = {
  bytes: Buffer;
  messageId: string;
  from: string;
  to: string;
  /** The id that the server's delivery reports return (RFC 3461). */
  envelopeId?: string;
};

/** nodemailer's connections: a property that its types do not declare. */
const Connections = z.array(
  z.object({
    queueEntry: z.object({ mail: z.unknown() }).or(z.literal(false)).optional(),
    connection: z.object({ _supportedExtensions: z.array(z.string()) }).optional(),
  }),
);

const Sockets = z
  .array(z.object({ connection: z.instanceof(SMTPConnection).or(z.literal(false)).optional() }))
  .transform((all) => all.map(({ connection }) => connection));

/**
 * nodemailer's pool with connections through the egress guard. Its errors also say whether a connection was lost before
 * or after the message was handed over.
 */
export class GuardedSmtpPool extends SMTPPool {
  readonly #mailer = createTransport(this);

  constructor(
    guard: EgressGuard,
    options: SMTPPoolOptions & { host: string; port: number; connectionTimeout: number },
  ) {
    super(options);
    this.getSocket = (_options, callback) => {
      const { host, port, connectionTimeout: timeoutMs } = options;
      openSocket({ guard, host, port, timeoutMs }).then(
        (socket) => {
          const connection = gatherWrites(socket);
          callback(null, { connection });
          // nodemailer has made its connection of the socket by now.
          const made = Sockets.parse(Reflect.get(this, '_connections')).find(
            (of) => of && of.options.connection === connection,
          );
          if (made) boundReplies(made);
        },
        (error: Error) => callback(error),
      );
    };
  }

  /**
   * Sends the bytes as they are, without the part of nodemailer that composes mails.
   * @throws SendFault, SmtpUtf8Missing
   */
  deliver(encoded: EncodedMail, signal: AbortSignal): Promise<SMTPPoolSentMessageInfo> {
    const { envelopeId } = encoded;
    // Only servers that support delivery status notifications (RFC 3461) are asked for reports, under our id.
    const dsn = envelopeId && { id: envelopeId, return: 'headers', notify: ['failure', 'delay'] };
    const mail = new SmtpMessage(this.#mailer, { signal, ...(dsn && { dsn }) });
    const message = new EncodedMessage(encoded, () => this.#extensionsFor(mail));
    mail.message = message;
    return new Promise((resolve, reject) => {
      this.send(mail, (error, info) => {
        if (info !== undefined) return resolve(info);
        const cause = error ?? new Error('nothing is known of the mail');
        reject(message.refused ?? new SendFault(cause, message.isHandedOver));
      });
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

/** The message for nodemailer, which asks for its id, its envelope and its bytes, again for each connection that it tries. */
class EncodedMessage extends MimeNode {
  refused: SmtpUtf8Missing | null = null;
  readonly #encoded: EncodedMail;
  readonly #extensions: () => string[] | null;
  #source: Readable | null = null;

  constructor(encoded: EncodedMail, extensions: () => string[] | null) {
    super(false, { baseBoundary: 'unused' });
    this.#encoded = encoded;
    this.#extensions = extensions;
  }

  get isHandedOver(): boolean {
    return this.#source?.readableEnded ?? false;
  }

  override messageId(): string {
    return this.#encoded.messageId;
  }

  /** nodemailer asks for the id in order to log it. */
  override getHeader(): string {
    return this.messageId();
  }

  /** Called once the mail is connected and before anything is sent. An empty envelope ends the attempt then. */
  override getEnvelope() {
    const { from, to } = this.#encoded;
    const beyondAscii = [from, to].find(needsSmtpUtf8);
    const offered = beyondAscii === undefined ? null : this.#extensions();
    const isRefused = offered !== null && !offered.includes('SMTPUTF8');
    this.refused = isRefused && beyondAscii !== undefined ? new SmtpUtf8Missing(beyondAscii) : null;
    return { from, to: isRefused ? [] : [to] };
  }

  override createReadStream(): Readable {
    this.#source = new MailSource(this.#encoded.bytes);
    return this.#source;
  }
}

/** How many bytes are handed over at a time, so that a connection that breaks in a long mail breaks before its end. */
const sliceBytes = 65_536;

/** The bytes of a mail as nodemailer reads them. Its end is read right before the final dot is sent. */
class MailSource extends Readable {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    super({ highWaterMark: 1 });
    this.#bytes = bytes;
  }

  override _read(): void {
    const end = this.#at + sliceBytes;
    const slice = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    this.push(slice);
    if (end >= this.#bytes.length) this.push(null);
  }
}
