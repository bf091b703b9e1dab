import { createAccountWebhooks } from '#features/channels/callback-address.service.ts';
import { createFailures } from '#features/inbox/failures.ts';
import { createOptOuts } from '#features/inbox/opt-outs.ts';
import { createMessageStore, createReportNotes, trimInbox } from '#features/inbox/store-messages.ts';
import { createEgressGuard, portOf } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { rememberedPorts, rememberPorts } from '#sandbox/ports.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import type { Runtime } from './runtime.ts';

/** The label for deriving the secrets of the sandbox's accounts from the encryption key. */
export const sandboxSecret = 'sandbox';

/** @param options.ownUrl Where this installation is; asked when the sandbox reports. */
export async function openSandbox(
  { config, database, secrets, stack }: Runtime,
  { ownUrl }: { ownUrl: () => string },
): Promise<Sandbox> {
  await trimInbox(database.engine);
  const ports = await rememberedPorts(database.engine);
  const guard = createEgressGuard({ allow: config.EGRESS_ALLOW, exact: () => loopbackOf(ownUrl()) });
  const http = createOutboundHttp({ guard });
  stack.add('connections of the sandbox', () => http.close());
  const options = {
    store: createMessageStore(database.engine),
    secret: secrets.deriveKey(sandboxSecret),
    failureFor: createFailures(database.engine),
    hasOptedOut: createOptOuts(database.engine),
    webhookOf: createAccountWebhooks(database.engine, { secrets, url: ownUrl }),
    calling: { post: http.request, note: createReportNotes(database.engine), delayMs: 800 },
  };
  // Tries without the ports of the last start too: another program may have taken one since.
  const sandbox = await startSandbox({ ...options, ...ports }).catch(() => startSandbox(options));
  stack.add('the sandbox', () => sandbox.stop());
  await rememberPorts(database.engine, { smtpPort: sandbox.smtp.port, httpPort: sandbox.http.port });
  return sandbox;
}

/** The host and port at which a local address is reached; nothing for a remote address. */
function loopbackOf(text: string): { host: string; port: number }[] {
  const url = new URL(text);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return isHere ? ['127.0.0.1', '::1'].map((host) => ({ host, port: portOf(url) })) : [];
}
