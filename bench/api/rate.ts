import { fork } from 'node:child_process';
import type { BenchContext } from '../context.ts';
import { fileOf, messageOf, stopped } from '../processes.ts';
import { type Findings, median, plainRow, ratioOf } from '../report.ts';
import type { BareStart, Statement } from './bare-route.ts';
import { askAlways, askOnce } from './requests.ts';
import type { Session } from './session.ts';

const connections = 16;
const seconds = 4;

/** Requests per second for the list of reminders, compared with a bare route that answers the same bytes after the same SQL. */
export async function measureRate(
  context: BenchContext,
  target: { url: string; session: Session; databaseUrl: string; statements: Statement[] },
): Promise<Findings> {
  const { url, session, databaseUrl, statements } = target;
  const child = fork(fileOf('api/bare-route.ts'));
  const start: BareStart = { databaseUrl, statements };
  child.send(start);
  try {
    const { port } = await messageOf<{ port: number }>(child);
    const bareUrl = `http://127.0.0.1:${port}`;
    const isSame = (await askOnce(url, session)) === (await askOnce(bareUrl, session));
    const [rates, bareRates]: number[][] = [[], []];
    // The first round warms up both servers.
    for (let round = 0; round <= context.sizes.rounds; round += 1) {
      const runs = [
        { at: url, into: rates },
        { at: bareUrl, into: bareRates },
      ];
      for (const { at, into } of round % 2 === 0 ? runs : runs.reverse()) {
        const rate = await askAlways(at, { session, connections, seconds: round === 0 ? 2 : seconds });
        if (round > 0) into?.push(rate);
      }
    }
    const [value, bare] = [median(rates ?? []), median(bareRates ?? [])];
    return {
      rows: [
        plainRow('API, list of reminders: bare Hono route', bare, 'per second'),
        {
          name: 'API, list of reminders: cuebird',
          value,
          unit: 'per second',
          against: 'bare Hono route',
          ratio: ratioOf(value, bare),
          goal: { is: 'at least', bound: 0.65 },
        },
      ],
      problems: isSame ? [] : ['api: the bare route does not answer the same bytes'],
      text: `cuebird (${rates?.join(', ')}), bare route (${bareRates?.join(', ')}) lists a second on ${connections} connections, ${statements.length} statements each`,
    };
  } finally {
    await stopped(child);
  }
}
