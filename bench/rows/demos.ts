import { migrate } from '../../src/platform/migrate.ts';
import { signUp } from '../api/session.ts';
import type { BenchContext } from '../context.ts';
import { startProduct } from '../product.ts';
import { type Findings, median, percentile, plainRow } from '../report.ts';
import { encryptionKey } from '../seeds/workspace.ts';

/** As many as one network may open in a day. */
const visitors = 10;

/** How long a visitor waits for a demo with its past, beside an empty workspace, which somebody with an account makes. */
export const demos = (context: BenchContext): Promise<Findings> =>
  context.inDatabase({}, async (databaseUrl) => {
    await migrate(databaseUrl, { encryptionKey });
    const product = await startProduct(databaseUrl, { settings: { SANDBOX: 'on', DEMO: 'on' } });
    try {
      const { headers } = await signUp(product.url);
      const empty = await timesOf((n) =>
        post(`${product.url}/api/workspaces`, { headers, body: { name: `Elm Street ${n}` } }),
      );
      const full = await timesOf(() => post(`${product.url}/api/demo`, { headers: {}, body: { timezone: 'UTC' } }));
      return {
        rows: [
          { ...plainRow('a demo of a visitor', rounded(median(full)), 'ms'), goal: { is: 'below', bound: 500 } },
          plainRow('a demo of a visitor, the slowest', rounded(percentile(full, 100)), 'ms'),
          plainRow('an empty workspace', rounded(median(empty)), 'ms'),
        ],
        problems: [],
        text: `${visitors} demos one after the other, the first one cold`,
      };
    } finally {
      await product.kill();
    }
  });

async function timesOf(work: (n: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < visitors; n += 1) {
    const began = performance.now();
    await work(n);
    times.push(performance.now() - began);
  }
  return times;
}

async function post(url: string, { headers, body }: { headers: Record<string, string>; body: unknown }): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  await response.body?.cancel();
}

const rounded = (ms: number) => Math.round(ms);
