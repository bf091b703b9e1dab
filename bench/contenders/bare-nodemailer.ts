import { randomUUIDv7 } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { composeMail } from '../../src/delivery/email/mail.ts';
import { EmailConfig } from '../../src/delivery/email/smtp.config.ts';
import type { Contender } from '../contender.ts';
import { mailRecipient, mailServer } from '../mail.ts';
import { envelopeOf } from '../webhook.ts';

/** As many as Cuebird opens to one server (`smtp-pools.ts`), and as long. */
const pool = { maxConnections: 5, maxMessages: 500 };

/** More than connections, so that none of them waits for the next mail. */
const lanes = 64;

/** The ceiling: the same mail through nodemailer's own pool, nothing claimed, nothing rendered, nothing recorded. */
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
