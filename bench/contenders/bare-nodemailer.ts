import { randomUUIDv7 } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { composeMail } from '../../src/delivery/email/mail.ts';
import { EmailConfig } from '../../src/delivery/email/smtp.config.ts';
import type { Contender } from '../contender.ts';
import { mailRecipient, mailServer } from '../mail.ts';
import { envelopeOf } from '../webhook.ts';

/** The same limits as Cuebird's pool for one server (`smtp-pools.ts`). */
const pool = { maxConnections: 5, maxMessages: 500 };

/** More lanes than connections, so that no connection waits for the next mail. */
const lanes = 64;

/** The upper bound: the same mail through nodemailer's own pool, without claims, rendering or records. */
export const contender: Contender = {
  title: `nodemailer's pool of ${pool.maxConnections} connections, nothing recorded`,
  async open({ sinkUrl }) {
    const config = EmailConfig.parse(mailServer(sinkUrl));
    const { smtp_host: host, smtp_port: port } = config;
    const transport = createTransport({ pool: true, ...pool, host, port, secure: false, ignoreTLS: true });
    const send = async () => {
      const envelope = envelopeOf(randomUUIDv7(), { channel: 'email', recipient: mailRecipient });
      await transport.sendMail(composeMail(envelope, { config, now: Temporal.Now.instant() }));
    };
    return {
      prepare: async () => {},
      async run(n) {
        const startedAt = performance.now();
        let left = n;
        const lane = async () => {
          while (left > 0) {
            left -= 1;
            await send();
          }
        };
        await Promise.all(Array.from({ length: lanes }, lane));
        return performance.now() - startedAt;
      },
      facts: async () => [],
      close: async () => transport.close(),
    };
  },
};
