import { createHmac, timingSafeEqual } from 'node:crypto';
import { createIntake, type StoreMessages } from './intake.ts';
import { startMailSink } from './mail-sink.ts';
import { startWebhookSink } from './webhook-sink.ts';

/** The configuration of an e-mail channel that sends into the sandbox. */
export type SandboxMailServer = {
  smtp_host: string;
  smtp_port: number;
  username: string;
  password: string;
  from_email: string;
  from_name: string;
  use_tls: boolean;
};

export type Sandbox = {
  smtp: { host: string; port: number };
  http: { host: string; port: number; url: string };
  /** For a workspace's mail, or with `accountMail` for that of Cuebird itself. */
  smtpConfigFor(username: string): SandboxMailServer;
  webhookUrlFor(workspaceId: string): string;
  /** Takes no more and waits for what is being stored. */
  stop(): Promise<void>;
};

/**
 * Receives on this machine what would otherwise leave it: mail over SMTP and webhooks over HTTP, both on loopback. Each
 * workspace has its own password and URL, made from `secret`, so that every message is known to be its own.
 *
 * @param options.store Keeps a batch; a message is acknowledged once it resolved, and refused for now if it rejects.
 * @param options.smtpPort, httpPort Free ones by default.
 */
export async function startSandbox(options: {
  store: StoreMessages;
  secret: string | Buffer;
  smtpPort?: number;
  httpPort?: number;
  now?: () => Temporal.Instant;
}): Promise<Sandbox> {
  const host = '127.0.0.1';
  const now = options.now ?? (() => Temporal.Now.instant());
  const keys = createKeys(options.secret);
  const intake = createIntake(options.store);
  const surroundings = { host, now, keep: intake.keep };
  const mail = await startMailSink({
    ...surroundings,
    port: options.smtpPort ?? 0,
    isPassword: (username, password) => keys.isFor(`smtp ${username}`, password),
  });
  const hooks = await startWebhookSink({
    ...surroundings,
    port: options.httpPort ?? 0,
    isToken: (workspaceId, token) => keys.isFor(`hook ${workspaceId}`, token),
  }).catch(async (error: unknown) => {
    await mail.stop();
    throw error;
  });
  const url = `http://${host}:${hooks.port}`;

  return {
    smtp: { host, port: mail.port },
    http: { host, port: hooks.port, url },
    smtpConfigFor: (username) => ({
      smtp_host: host,
      smtp_port: mail.port,
      username,
      password: keys.of(`smtp ${username}`),
      from_email: 'reminders@cuebird.test',
      from_name: 'Cuebird',
      use_tls: false,
    }),
    webhookUrlFor: (workspaceId) => `${url}/hooks/${workspaceId}/${keys.of(`hook ${workspaceId}`)}`,
    async stop() {
      await Promise.all([mail.stop(), hooks.stop()]);
      await intake.settled();
    },
  };
}

function createKeys(secret: string | Buffer) {
  const of = (purpose: string) => createHmac('sha256', secret).update(purpose).digest('base64url');
  const isFor = (purpose: string, given: string) => {
    const [expected, actual] = [Buffer.from(of(purpose)), Buffer.from(given)];
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  };
  return { of, isFor };
}
