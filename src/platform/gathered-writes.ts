import type { Writable } from 'node:stream';

/**
 * Sends what is written within a moment as one packet, because a system call costs more than composing what it sends. `until` schedules the sending,
 * usually for the end of the event loop's iteration. Wrap a socket after it has connected: connecting replaces `write` by Socket's own.
 */
export function gatherWrites<Stream extends Pick<Writable, 'write' | 'cork' | 'uncork'>>(
  stream: Stream,
  { until = setImmediate }: { until?: (send: () => void) => unknown } = {},
): Stream {
  let isGathering = false;
  const uncork = () => {
    isGathering = false;
    stream.uncork();
  };
  stream.write = new Proxy(stream.write, {
    apply(write, self, args) {
      if (!isGathering) {
        isGathering = true;
        stream.cork();
        until(uncork);
      }
      return Reflect.apply(write, self, args);
    },
  });
  return stream;
}
