import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/** Who was handed a message, and its Message-ID. */
export type Mail = { recipient: string; id: string };

export type MailServer = {
  /** For SMTP_URL. */
  url: string;
  /** Messages taken, in the order in which they came; some whose sender did not live to hear that. */
  messages: readonly Mail[];
  /** Resolves once this many have come. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
};

/** A mail server on this machine, which takes every message, and its time to say so. */
export async function startMailServer({ answerAfterMs }: { answerAfterMs: number }): Promise<MailServer> {
  const messages: Mail[] = [];
  const watchers = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    maxClients: 500,
    async onData(stream, { envelope }, done) {
      const text = (await buffer(stream)).toString();
      const id = /^Message-ID: (\S+)/im.exec(text)?.[1] ?? '';
      for (const { address } of envelope.rcptTo) messages.push({ recipient: address, id });
      for (const watch of watchers) watch();
      await wait(answerAfterMs);
      done();
    },
  });
  // A sender that was killed in the middle.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return {
    url: `smtp://127.0.0.1:${address.port}?tls=off`,
    messages,
    received: (count) =>
      new Promise((resolve) => {
        const watch = () => {
          if (messages.length < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
