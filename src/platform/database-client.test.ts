import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseTroubleOf } from '#platform/database.ts';
import { DatabaseAddress } from '#platform/database-address.ts';
import { DatabaseClient } from '#platform/database-client.ts';
import { type DatabasePair, startDatabasePair } from '#testing/database-pair.ts';
import { closeServers, deafPort } from '#testing/tcp-server.ts';

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
    client.on('error', () => {});
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
