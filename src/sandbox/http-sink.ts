import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answer, readCall } from './call.ts';
import { emulators } from './emulators/emulators.ts';
import { unknownAddress } from './emulators/hooks.ts';
import { portOf } from './port.ts';
import type { RequestIntake } from './request-intake.ts';

/** The HTTP server of the sandbox: every provider on one port, distinguished by path. */
export async function startHttpSink(options: {
  host: string;
  port: number;
  now: () => Temporal.Instant;
  /** Called once the server's address is known. */
  openRequestIntake: (url: string) => RequestIntake;
}): Promise<{ port: number; requestIntake: RequestIntake; stop(): Promise<void> }> {
  const open = new Set<IncomingMessage>();
  const server = createServer({ requestTimeout: 30_000 });
  const ready = once(server, 'listening');
  server.listen(options.port, options.host);
  await ready;
  const port = portOf(server);
  const requestIntake = options.openRequestIntake(`http://${options.host}:${port}`);
  server.on('request', (request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request, options.now).catch(() => null);
    if (call === null) return void request.destroy();
    const emulator = emulators.find((one) => one.owns(call));
    if (emulator === undefined) return reply(response, unknownAddress);
    const reaction = await requestIntake.receive(call, emulator);
    if (reaction.kind === 'hang') return void open.add(request);
    if (reaction.kind === 'reset') return void request.socket.resetAndDestroy();
    reply(response, reaction.answer);
    if (reaction.onAnswered) response.once('close', reaction.onAnswered);
  }

  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    for (const request of open) request.destroy();
    await closed;
  };
  return { port, requestIntake, stop };
}

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
