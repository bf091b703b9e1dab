import type { Client } from 'pg';

/** A scan of a plan: how it reads which table, and how many rows it gave, on average of its loops. */
export type Scan = { node: string; table: string; rows: number; loops: number };

/**
 * Runs a statement as the role of requests, in the name of a person, and returns each scan of its plan and of the plans of all statements
 * that its functions run: `explain` itself does not look into functions. `owner` has to be a superuser.
 */
export async function scansOf(
  owner: Client,
  { userId, statement, values }: { userId: string; statement: string; values: unknown[] },
): Promise<Scan[]> {
  const plans: string[] = [];
  const take = ({ message = '' }: { message?: string }) => {
    const at = message.indexOf('{');
    if (message.includes('plan:') && at !== -1) plans.push(message.slice(at));
  };
  owner.on('notice', take);
  await owner.query('begin');
  try {
    await owner.query(`load 'auto_explain'`);
    for (const setting of [
      'auto_explain.log_min_duration = 0',
      'auto_explain.log_nested_statements = on',
      'auto_explain.log_analyze = on',
      'auto_explain.log_format = json',
      'client_min_messages = log',
      // As requests run.
      'enable_seqscan = off',
    ])
      await owner.query(`set local ${setting}`);
    await owner.query("select set_config('app.user_id', $1, true)", [userId]);
    await owner.query('set local role cuebird_app');
    plans.length = 0;
    await owner.query(statement, values);
  } finally {
    await owner.query('rollback');
    owner.off('notice', take);
  }
  return plans.flatMap((plan) => scansIn(JSON.parse(plan)));
}

function scansIn(part: unknown): Scan[] {
  if (Array.isArray(part)) return part.flatMap(scansIn);
  if (typeof part !== 'object' || part === null) return [];
  const node = new Map(Object.entries(part));
  const table = node.get('Relation Name');
  const own =
    typeof table === 'string'
      ? [
          {
            node: String(node.get('Node Type')),
            table,
            rows: Number(node.get('Actual Rows')) + Number(node.get('Rows Removed by Filter') ?? 0),
            loops: Number(node.get('Actual Loops')),
          },
        ]
      : [];
  return [...own, ...Object.values(part).flatMap(scansIn)];
}
