import { randomInt } from 'node:crypto';
import { Client } from 'pg';
import { startProduct } from '../product.ts';
import { fileOf } from '../processes.ts';
import { writeReminders } from '../seeds/reminders.ts';
import { until } from '../until.ts';
import type { Statement } from './bare-route.ts';
import { askOnce } from './requests.ts';
import { type Session, signUp } from './session.ts';

/** Exactly one full page. */
const reminders = 50;

/** Signs up a user with 50 reminders, and records the statements of one request for their list. */
export async function prepareListing(databaseUrl: string): Promise<{ session: Session; statements: Statement[] }> {
  const product = await startProduct(databaseUrl, { watchedBy: fileOf('api/watch-sql.ts') });
  try {
    const statements: Statement[] = [];
    product.onMessage((message) => {
      if (isStatement(message)) statements.push(message);
    });
    const session = await signUp(product.url);
    await writeSome(databaseUrl, session);
    const ask = async () => {
      statements.length = 0;
      await askOnce(product.url, session);
      await until(async () => statements.at(-1)?.text === 'commit');
    };
    // The first requests open connections and cache the session.
    for (let times = 0; times < 3; times += 1) await ask();
    return { session, statements };
  } finally {
    await product.kill();
  }
}

async function writeSome(databaseUrl: string, { workspaceId }: Session): Promise<void> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  const recipient = 'https://hooks.example.com/rent';
  const at = Array.from({ length: reminders }, () =>
    Temporal.Now.instant()
      .add({ minutes: randomInt(60, 1_380) })
      .round('second'),
  );
  await writeReminders(owner, { workspaceId, channel: 'webhook', recipient, at });
  await owner.query('vacuum (analyze)');
  await owner.end();
}

function isStatement(message: unknown): message is Statement {
  return typeof message === 'object' && message !== null && 'text' in message && 'values' in message;
}
