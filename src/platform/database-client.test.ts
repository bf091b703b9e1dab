import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { databaseTroubleOf } from '#platform/database.ts';
import { DatabaseAddress } from '#platform/database-address.ts';
import { DatabaseClient } from '#platform/database-client.ts';
import { type DatabasePair, startDatabasePair } from '#testing/database-pair.ts';
import { closeServers, deafPort, tcpServer } from '#testing/tcp-server.ts';

describe('a connection to a database with several hosts', () => {
  let pair: DatabasePair;
  beforeAll(async () => {
    pair = await startDatabasePair();
  }, 60_000);
  afterAll(async () => {
    closeServers();
    await pair.drop();
  });

  /** The port of the server that a connection leads to. */
  async function portAt(...hosts: string[]): Promise<string> {
    const { username, password } = new URL(pair.primaryUrl);
    const connectionString = DatabaseAddress.parse(`postgres://${username}:${password}@${hosts.join()}/cuebird`);
    const client = new DatabaseClient({ connectionString });
    await client.connect();
    const { rows } = await client.query("select current_setting('port') as port");
    await client.end();
    return rows[0].port;
  }
  const hostOf = (url: string) => new URL(url).host;
  const portOf = (url: string) => new URL(url).port;

  it('leads to the one that accepts changes, in any order, also beside one that is gone or does not answer', async () => {
    const [primary, standby] = [hostOf(pair.primaryUrl), hostOf(pair.standbyUrl)];
    const deaf = `127.0.0.1:${await deafPort()}`;
    for (const hosts of [
      [primary, standby],
      [standby, primary],
      ['127.0.0.1:1', deaf, standby, primary],
    ])
      expect(await portAt(...hosts)).toBe(portOf(pair.primaryUrl));
  });

  it('is refused with what each of them said, where none accepts changes', async () => {
    const standby = hostOf(pair.standbyUrl);
    const error: unknown = await portAt(standby, '127.0.0.1:1').catch((reason: unknown) => reason);
    expect(String(error)).toBe(
      `Error: no host accepts changes: ${standby} is a standby; 127.0.0.1:1 does not answer: Error: connect ECONNREFUSED 127.0.0.1:1`,
    );
    expect(databaseTroubleOf(error)).toBe('unreachable');
  });

  it('says what is wrong with its login rather than that no host accepts changes', async () => {
    const connectionString = DatabaseAddress.parse(
      `postgres://nobody:wrong@${hostOf(pair.primaryUrl)},${hostOf(pair.standbyUrl)}/cuebird`,
    );
    await expect(new DatabaseClient({ connectionString }).connect()).rejects.toMatchObject({ code: '28P01' });
  });

  it('leads to the promoted standby once the primary is gone', async () => {
    const [primary, standby] = [hostOf(pair.primaryUrl), hostOf(pair.standbyUrl)];
    await pair.killPrimary();
    await pair.promote();
    expect(await portAt(primary, standby)).toBe(portOf(pair.standbyUrl));
  });
});

it('a connection that is ended in the very bytes that say it is ready fails its next query, and nothing else', async () => {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    const head = Buffer.from(`${type}    `);
    head.writeUInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const authenticated = message('R', Buffer.alloc(4));
  const ready = message('Z', Buffer.from('I'));
  const ended = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));
  const { port } = await tcpServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, ended])));
  });
  const connectionString = `postgres://ann:secret@127.0.0.1:${port}/cuebird`;
  const pool = new pg.Pool({
    Client: class extends DatabaseClient {
      constructor() {
        super({ connectionString });
      }
    },
  });
  pool.on('error', () => {});
  await expect(pool.query('select')).rejects.toThrow('not queryable');
  await pool.end();
  closeServers();
});
