import type { DefaultRoute, SendRoute } from '#delivery/adapter.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { adapterFor } from '#delivery/registry.ts';

const webhook = adapterFor('webhook');
if (webhook === null) throw new Error('There is no adapter for webhooks');

/** Text messages that are sent as webhooks but count as text messages, so that the network needs only one protocol. */
const sms: SendRoute = {
  adapter: { ...webhook, type: 'sms', provider: 'sms', destinationOf: () => 'https://sms.example' },
  config: webhook.shape.parse({ url: 'https://sms.example/send' }),
  channelId: null,
};

const others = createDefaultRoutes({
  sandbox: null,
  mailServer: { url: 'smtp://mail.example:2525?tls=off', from: 'Cuebird <cuebird@mail.example>' },
});

export const defaultRoutes: DefaultRoute = (type, workspaceId) => (type === 'sms' ? sms : others(type, workspaceId));
