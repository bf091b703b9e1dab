import type { channelRoutes } from '#contract/channels.ts';
import { type CheckPorts, testChannel, verifyChannel, verifyWaha } from '#features/channels/channel-check.service.ts';
import * as channels from '#features/channels/channels.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const channelHandlers = (ports: channels.ChannelPorts & CheckPorts): HandlersOf<typeof channelRoutes> => ({
  listChannelTypes: () => ({ data: channels.listChannelTypes(), next_cursor: null }),
  listChannels: ({ ctx, query }) => channels.listChannels(ctx, { query, ports }),
  createChannel: ({ ctx, body }) => channels.createChannel(ctx, { input: body, ports }),
  updateChannel: ({ ctx, params, body }) => channels.updateChannel(ctx, { id: params.id, changes: body, ports }),
  deleteChannel: ({ ctx, params }) => channels.deleteChannel(ctx, params.id),
  testChannel: ({ ctx, params, body }) =>
    testChannel(ctx, { id: params.id, recipient: '', message: '', ...body, ports }),
  verifyChannel: ({ ctx, params }) => verifyChannel(ctx, { id: params.id, ports }),
  verifyWahaChannel: ({ ctx, params }) => verifyWaha(ctx, { id: params.id, ports }),
});
