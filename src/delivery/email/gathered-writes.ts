import type { Socket } from 'node:net';

/**
 * Lets what is written within a moment leave in one packet: nodemailer writes a mail and its final dot one after the
 * other, and each system call costs more than composing the mail.
 */
export function gatherWrites(socket: Socket): Socket {
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
        setImmediate(uncork);
      }
      return Reflect.apply(write, self, args);
    },
  });
  return socket;
}
