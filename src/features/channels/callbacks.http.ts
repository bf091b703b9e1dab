import type { callbackRoutes } from '#contract/callbacks.ts';
import { type CallbackPorts, receiveCallback } from '#features/channels/callbacks.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const callbackHandlers = (ports: CallbackPorts): HandlersOf<typeof callbackRoutes> => ({
  receiveCallback: ({ params, request, readBody }) => receiveCallback(ports, { ...params, request, readBody }),
  answerCallback: ({ params, request, readBody }) => receiveCallback(ports, { ...params, request, readBody }),
});
