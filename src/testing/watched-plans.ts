import type { Client, PoolClient } from 'pg';
import type { Database } from '#platform/database.ts';

/** A scan of a plan: how it reads which table, in the order of which index, and how many rows it looked at, on average of its loops. */
export type Scan = { node: string; table: string; index: string | null; rows: number; loops: number };

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  // To the client, not to the server's log.
  'auto_explain.log_level': 'notice',
};

/**
 * From now on, new connections to the database of `owner` are told the plan of each statement, also of those that functions run. `owner` has
 * to be a superuser. Ended by `forgetPlans`: the next test gets the same database.
 */
export async function reportPlans(owner: Client): Promise<void> {
  await owner.query("load 'auto_explain'");
  for (const [name, value] of Object.entries(settings))
    await owner.query(alterDatabase(owner, `set ${name} = '${value}'`));
}

export const forgetPlans = (owner: Client) => owner.query(alterDatabase(owner, 'reset all'));

const alterDatabase = ({ database = '' }: Client, change: string) => `alter database ${database} ${change}`;

/** What `work` reads through the product's connections; those of the delivery thread are not heard. */
export function watchScans({ appPool, engine, auth }: Database) {
  const plans: string[] = [];
  const take = ({ message = '' }: { message?: string }) => {
    const at = message.indexOf('{');
    if (message.includes('plan:') && at !== -1) plans.push(message.slice(at));
  };
  const known = new Set<PoolClient>();
  for (const pool of [appPool, engine, auth]) {
    pool.on('acquire', (client) => {
      if (known.has(client)) return;
      known.add(client);
      client.on('notice', take);
    });
    pool.on('remove', (client) => known.delete(client));
  }
  // The plan of a transaction's last statement is told at its end, for which a request that only reads does not wait.
  const untilEnded = () => Promise.all([...known].map((client) => client.query('').catch(() => {})));
  return async (work: () => Promise<unknown>): Promise<Scan[]> => {
    plans.length = 0;
    await work();
    await untilEnded();
    return plans.splice(0).flatMap(scansOfPlan);
  };
}

const scansOfPlan = (plan: string): Scan[] => scansIn(JSON.parse(plan));

export function scansIn(part: unknown): Scan[] {
  if (Array.isArray(part)) return part.flatMap(scansIn);
  if (typeof part !== 'object' || part === null) return [];
  const node = new Map(Object.entries(part));
  const table = node.get('Relation Name');
  const index = node.get('Index Name');
  const own =
    typeof table === 'string'
      ? [
          {
            node: String(node.get('Node Type')),
            table,
            index: typeof index === 'string' ? index : null,
            rows: ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck'].reduce(
              (sum, of) => sum + Number(node.get(of) ?? 0),
              0,
            ),
            loops: Number(node.get('Actual Loops')),
          },
        ]
      : [];
  return [...own, ...Object.values(part).flatMap(scansIn)];
}
