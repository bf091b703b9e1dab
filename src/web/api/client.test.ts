import { once } from 'node:events';
import { createServer, type ServerResponse, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonOf, reach } from './client.ts';

let server: Server;
let url: string;
let answering: PromiseWithResolvers<ServerResponse>;

beforeEach(async () => {
  answering = Promise.withResolvers();
  server = createServer((_, response) => {
    // The start of a response whose rest arrives later.
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"data": [');
    answering.resolve(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api`;
});

afterEach(() => server.close().closeAllConnections());

describe('an API response whose body is incomplete', () => {
  it('is an abort when the caller cancelled the request, not a response of another shape', async () => {
    const asking = new AbortController();
    const reading = jsonOf(await reach(url, { signal: asking.signal }));
    asking.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('reports that Cuebird cannot be reached when the connection was lost', async () => {
    const response = await reach(url, {});
    (await answering.promise).destroy();
    await expect(jsonOf(response)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('is not valid JSON when it ended early without an error', async () => {
    const response = await reach(url, {});
    (await answering.promise).end();
    expect(await jsonOf(response)).toBeNull();
  });
});
