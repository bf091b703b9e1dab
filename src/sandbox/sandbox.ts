import { randomUUIDv7 } from 'node:crypto';
import type { InboxReport } from '#contract/inbox.ts';
import { createAccounts } from './accounts.ts';
import { type SandboxAddresses, sandboxAddresses, sandboxHost as host } from './addresses.ts';
import type { EmulatorContext, ReportedMessage } from './emulator.ts';
import { emulators } from './emulators/emulators.ts';
import { startHttpSink } from './http-sink.ts';
import { createIntake, type StoreMessages, storable } from './intake.ts';
import { startMailSink } from './mail-sink.ts';
import { createRequestIntake, type FailureFor, type WebhookOf } from './request-intake.ts';
import { type Calling, createReporter } from './reporter.ts';
import { createReturns } from './returned-mail.ts';

export type Sandbox = SandboxAddresses & {
  /** The recipient of a stored message replies. `report` is null when the provider has no reports of replies. */
  reply(message: RepliedMessage, text: string): Promise<{ id: string; report: InboxReport | null }>;
  /** Accepts nothing more and waits for what is being stored and reported. */
  stop(): Promise<void>;
};

export type RepliedMessage = Omit<ReportedMessage, 'callbackUrl'> & { provider: string; callbackUrl: string | null };

/** What the sandbox needs from the installation. */
export type Surroundings = {
  failureFor: FailureFor;
  hasOptedOut: EmulatorContext['hasOptedOut'];
  webhookOf: WebhookOf;
  calling: Calling;
};

/** Surroundings without simulated failures, opt-outs and callbacks. */
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
 * Receives locally what would otherwise leave this machine: mail over SMTP, and over HTTP webhooks and messages of
 * every provider, both on loopback. Each workspace has its own accounts, with secrets derived from `secret`, so that
 * every message can be mapped to its workspace.
 *
 * @param options.store stores a batch; a message is acknowledged once it resolves, and refused temporarily if it
 * rejects
 * @param options.smtpPort, httpPort free ones by default
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
    returnMail: createReturns({ keep, webhookOf, reporter, now }),
    closing: closing.signal,
    port: options.smtpPort ?? 0,
    isPassword: (username, password) => accounts.isSecret('smtp', username, password),
  });
  const web = await startHttpSink({
    host,
    now,
    port: options.httpPort ?? 0,
    openRequestIntake: (url) =>
      createRequestIntake({
        context: { accounts, url, hasOptedOut },
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
