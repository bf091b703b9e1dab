import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Session } from './session.ts';

/** Sends requests without a pause on this many connections. Resolves to the answers per second. */
export async function askAlways(
  url: string,
  { session, connections, seconds }: { session: Session; connections: number; seconds: number },
): Promise<number> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const startedAt = performance.now();
  let answers = 0;
  const lane = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      await ask(pool, session);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  const tookSeconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return Math.round(answers / tookSeconds);
}

/**
 * Sends requests at a fixed rate, independent of the answers, until it is aborted. Resolves to the duration of each request in
 * milliseconds.
 */
export async function askNowAndThen(
  url: string,
  { session, perSecond, until }: { session: Session; perSecond: number; until: AbortSignal },
): Promise<number[]> {
  const pool = new Pool(url, { connections: 16, pipelining: 1 });
  const startedAt = performance.now();
  const answers: Promise<number>[] = [];
  while (!until.aborted) {
    const askedAt = performance.now();
    answers.push(ask(pool, session).then(() => performance.now() - askedAt));
    await wait(Math.max(0, startedAt + (answers.length * 1000) / perSecond - performance.now()));
  }
  const tookMs = await Promise.all(answers);
  await pool.close();
  return tookMs;
}

export async function askOnce(url: string, session: Session): Promise<string> {
  const pool = new Pool(url);
  const body = await ask(pool, session);
  await pool.close();
  return body;
}

async function ask(pool: Pool, { path, headers }: Session): Promise<string> {
  const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`);
  return text;
}
