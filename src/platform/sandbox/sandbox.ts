import { randomUUIDv7 } from 'node:crypto';
import type { InboxReport } from '#contract/inbox.ts';
import { createAccounts } from './accounts.ts';
import { type SandboxAddresses, sandboxAddresses, sandboxHost as host } from './addresses.ts';
import type { House, ReportedMessage } from './emulator.ts';
import { emulators } from './emulators/emulators.ts';
import { startHttpSink } from './http-sink.ts';
import { createIntake, type StoreMessages, storable } from './intake.ts';
import { startMailSink } from './mail-sink.ts';
import { createReception, type FailureFor, type WebhookOf } from './reception.ts';
import { type Calling, createReporter } from './reporter.ts';
import { createReturns } from './returned-mail.ts';

export type Sandbox = SandboxAddresses & {
  /** The recipient of a kept message answers it. `report` is null where the provider brings no answers. */
  reply(message: RepliedMessage, text: string): Promise<{ id: string; report: InboxReport | null }>;
  /** Takes no more and waits for what is being stored and reported. */
  stop(): Promise<void>;
};

export type RepliedMessage = Omit<ReportedMessage, 'callbackUrl'> & { provider: string; callbackUrl: string | null };

/** What the sandbox asks of the installation around it. */
export type Surroundings = {
  failureFor: FailureFor;
  hasOptedOut: House['hasOptedOut'];
  webhookOf: WebhookOf;
  calling: Calling;
};

/** Nothing is rehearsed, nobody has opted out, and nobody is called back. */
const quiet: Surroundings = {
  failureFor: async () => null,
  hasOptedOut: async () => false,
  webhookOf: async () => null,
  calling: {
    post: async () => ({ kind: 'not_sent', reason: 'the sandbox calls nobody' }),
    note: async () => undefined,
    delayMs: 0,
  },
};

/**
 * Receives on this machine what would otherwise leave it: mail over SMTP, and over HTTP webhooks and what is sent through
 * every provider, both on loopback. Each workspace has accounts of its own, whose secrets are made from `secret`, so that
 * every message is known to be its own.
 *
 * @param options.store Keeps a batch; a message is acknowledged once it resolved, and refused for now if it rejects.
 * @param options.smtpPort, httpPort Free ones by default.
 */
export async function startSandbox(
  options: {
    store: StoreMessages;
    secret: string | Buffer;
    smtpPort?: number;
    httpPort?: number;
    now?: () => Temporal.Instant;
  } & Partial<Surroundings>,
): Promise<Sandbox> {
  const now = options.now ?? (() => Temporal.Now.instant());
  const { failureFor, hasOptedOut, webhookOf, calling } = { ...quiet, ...options };
  const accounts = createAccounts(options.secret);
  const { keep, settled } = createIntake(options.store);
  const reporter = createReporter({ ...calling, accounts, now });
  const closing = new AbortController();
  const mail = await startMailSink({
    host,
    now,
    keep,
    failureFor,
    bringBack: createReturns({ keep, webhookOf, reporter, now }),
    closing: closing.signal,
    port: options.smtpPort ?? 0,
    isPassword: (username, password) => accounts.isSecret('smtp', username, password),
  });
  const web = await startHttpSink({
    host,
    now,
    port: options.httpPort ?? 0,
    openReception: (url) =>
      createReception({
        house: { accounts, url, hasOptedOut },
        keep,
        failureFor,
        webhookOf,
        reporter,
        closing: closing.signal,
      }),
  }).catch(async (error: unknown) => {
    await mail.stop();
    throw error;
  });

  async function reply(message: RepliedMessage, text: string) {
    const id = randomUUIDv7();
    await keep({
      id,
      workspace_id: message.workspaceId,
      channel: message.channel,
      provider: message.provider,
      sender: message.recipient,
      recipient: message.sender,
      subject: '',
      text: storable(text),
      html: null,
      headers: {},
      raw: null,
      segments: null,
      callback_url: null,
      reply_to: message.id,
      raw_size: Buffer.byteLength(text),
      received_at: now().toString(),
    });
    const emulator = emulators.find(({ provider }) => provider === message.provider);
    const { callbackUrl } = message;
    if (emulator === undefined || callbackUrl === null) return { id, report: null };
    const report = await reporter.bringReply({ emulator, message: { ...message, callbackUrl }, reply: { id, text } });
    if (report) await calling.note({ workspaceId: message.workspaceId, id, report });
    return { id, report };
  }

  return {
    ...sandboxAddresses({ secret: options.secret, smtpPort: mail.port, httpPort: web.port }),
    reply,
    async stop() {
      closing.abort();
      await Promise.all([mail.stop(), web.stop()]);
      await reporter.stop();
      await settled();
    },
  };
}
