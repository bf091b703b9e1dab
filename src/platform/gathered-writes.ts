import type { Socket } from 'node:net';

/**
 * Lets what is written within a moment leave in one packet, because each system call costs more than composing what it sends.
 * The moment lasts until the end of the event loop's iteration, or as long as `until` says. A socket is wrapped when it has
 * connected: connecting replaces `write` by Socket's own.
 */
export function gatherWrites(
  socket: Socket,
  { until = setImmediate }: { until?: (send: () => void) => unknown } = {},
): Socket {
  let isGathering = false;
  const uncork = () => {
    isGathering = false;
    socket.uncork();
  };
  socket.write = new Proxy(socket.write, {
    apply(write, self, args) {
      if (!isGathering) {
        isGathering = true;
        socket.cork();
        until(uncork);
      }
      return Reflect.apply(write, self, args);
    },
  });
  return socket;
}
