import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { expect } from 'vitest';
import { startTestCuebird } from '#testing/cuebird.ts';
import { startSink } from '#testing/sink.ts';
import { onClose } from '#testing/tcp-server.ts';

export type CheckFixture = Awaited<ReturnType<typeof openCheckFixture>>;

/** Channels to be tested and verified, in a workspace of its own for each test. */
export async function openCheckFixture() {
  const [cuebird, sink] = await Promise.all([startTestCuebird(), startSink()]);
  const database = cuebird.owner;
  const dana = await cuebird.signUp('Dana');
  let workspace = '';

  async function create(type: string, configuration: object, of = workspace): Promise<string> {
    const created = await dana.call('POST', '/api/channels', {
      workspace: of,
      body: { name: 'Front desk', type, configuration },
    });
    expect(created.json.error).toBeUndefined();
    return created.json.id;
  }

  const test = (id: string, body: object = {}, { as = dana, of = workspace } = {}) =>
    as.call('POST', `/api/channels/${id}/test`, { workspace: of, body });

  async function read(id: string) {
    const { json } = await dana.call('GET', '/api/channels', { workspace });
    return json.data.find((channel: { id: string }) => channel.id === id);
  }

  return {
    cuebird,
    sink,
    database,
    dana,
    create,
    test,
    read,
    async renew() {
      workspace = await dana.createWorkspace('Elm Street');
      return { workspace };
    },
    async close() {
      await cuebird.stop();
      await sink.close();
    },
  };
}

/** A foreign server that gives each request the same answer; `closeServers` closes it. */
export async function serve(status: number, body: string): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const answer: RequestListener = (request, response) => {
    requests.push(request);
    response.writeHead(status).end(body);
  };
  const server = createServer(answer);
  onClose(() => server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return { url: `http://127.0.0.1:${address.port}`, requests };
}
