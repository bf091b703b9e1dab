import type { AnyAdapter } from '#delivery/load-adapters.ts';
import type { DefaultRoute, Network, SendRoute } from '#delivery/adapter.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import type { PushSender } from '#delivery/push/push.message.ts';
import type { SandboxAddresses } from '#sandbox/addresses.ts';

/** Connections that reach the sandbox and nothing else. */
export type SandboxNetwork = Pick<Network, 'http' | 'smtp'>;

type Of = {
  sandbox: SandboxAddresses | null;
  network: SandboxNetwork;
  pushSender: PushSender;
  callbackToken: Parameters<typeof createDefaultRoutes>[0]['callbackToken'];
};

/**
 * The routes of demos. They lead into the sandbox, whatever channels the workspace has, whichever URLs a message names, and whichever
 * browsers subscribed; and their adapters get connections that reach nothing else. None without a sandbox.
 */
export function createSandboxOnlyRoutes({ sandbox, network, pushSender, callbackToken }: Of): DefaultRoute {
  if (sandbox === null) return () => null;
  const push = {
    sender: pushSender,
    devices: { of: async () => [], forget: async () => {}, markUsed: async () => {} },
  };
  const routeOf = createDefaultRoutes({ sandbox, mailServer: null, push, ...(callbackToken && { callbackToken }) });
  const confined = new WeakMap<SendRoute, SendRoute>();
  return (type, workspaceId) => {
    const route = routeOf(type, workspaceId);
    if (route === null) return null;
    const known = confined.get(route);
    if (known !== undefined) return known;
    const http = type === 'webhook' ? toUrl(network.http, { url: sandbox.webhookUrlFor(workspaceId) }) : network.http;
    const made = { ...route, adapter: confine(route.adapter, { network: { ...network, http }, workspaceId }) };
    confined.set(route, made);
    return made;
  };
}

/** Sends to the workspace's address in the sandbox, while the message still names its recipient. */
const toUrl = (http: Network['http'], { url }: { url: string }): Network['http'] => ({
  request: (request) => http.request({ ...request, url }),
  close: http.close,
});

const confine = (
  adapter: AnyAdapter,
  { network, workspaceId }: { network: SandboxNetwork; workspaceId: string },
): AnyAdapter => ({
  ...adapter,
  // One destination for all recipients: failures in the sandbox say nothing about a real server.
  destinationOf: () => `sandbox of ${workspaceId}`,
  send: (envelope, to) => adapter.send(envelope, { ...to, network: { ...to.network, ...network } }),
});
