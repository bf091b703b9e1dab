import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { insertInvitation, insertMember, insertThings, type Things } from '#testing/sample-rows.ts';

/** A workspace that nobody else may see, and how to notice that somebody has. */
export type Neighbour = {
  things: Things;
  /** What an answer says about the neighbour beyond what the request has said itself. */
  leaksIn(answer: string, request: string): string[];
  /** A digest of every table's rows that belong to the workspace: an equal one means that nothing was changed. */
  digest(): Promise<Record<string, string>>;
};

/** Columns that people fill in. Each gets the marker, in every table that has it and a workspace. */
const texts = ['name', 'description', 'subject', 'body_text', 'body_html', 'sender'];
/** JSON that contains such texts. */
const objects = ['content', 'payload', 'metadata', 'variables'];

/** Fills a workspace with one of everything, and marks all its texts. */
export async function settleNeighbour(
  owner: Client,
  { workspace, userId }: { workspace: string; userId: string },
): Promise<Neighbour> {
  const marker = `zq${randomBytes(6).toString('hex')}`;
  const things = await insertThings(owner, { workspace, userId });
  await insertMember(owner, things);
  await insertInvitation(owner, things, { email: `${marker}@example.com` });
  await owner.query(
    `with customer as (
       insert into billing_customers (user_id, customer_id, created_at, checked_at) values ($3, 'cus_' || $2::text, now(), now())
       on conflict (user_id) do update set customer_id = excluded.customer_id
     ), subscription as (
       insert into subscriptions (id, workspace_id, customer_id, tier, status, created_at, checked_at)
       values ('sub_' || $2::text, $1, 'cus_' || $2::text, 'basic', 'active', now(), now())
     )
     insert into sandbox_payments (id, kind, customer_id, created, body)
     select 'in_' || $2::text, 'invoice', 'cus_' || $2::text, 1, jsonb_build_object(
       'object', 'invoice', 'id', 'in_' || $2::text, 'number', $2::text, 'customer', 'cus_' || $2::text,
       'subscription', 'sub_' || $2::text, 'created', 1, 'total', 900, 'currency', 'usd', 'status', 'paid')`,
    [workspace, marker, userId],
  );
  await owner.query('insert into reminder_hooks (workspace_id, reminder_id) values ($1, $2)', [
    workspace,
    things.hookedReminder,
  ]);
  await owner.query(
    'insert into hook_calls (workspace_id, reminder_id, slot, received_at, status, event_id) values ($1, $2, 1, now(), 201, $3)',
    [workspace, things.hookedReminder, things.event],
  );
  await owner.query("insert into signing_secrets (workspace_id, sealed_secret) values ($1, 's')", [workspace]);
  // However long the tests take: no notice is due, and no payload is left over.
  await owner.query(
    'update jobs set event_id = (select id from events where workspace_id = $1 limit 1) where id = $2',
    [workspace, things.failedJob],
  );
  await owner.query(
    `with mailed as (
       -- However long the tests take, no mail about it is due.
       insert into notice_days (workspace_id, day) values ($1, current_date + 1)
     )
     insert into notices (workspace_id, job_id, name, scheduled_for, timezone, reason, created_at)
     values ($1, $2, 'Rent', now(), 'UTC', 'missed', now())`,
    [workspace, things.failedJob],
  );
  await owner.query("update contacts set tags = '{tenant}' where workspace_id = $1", [workspace]);
  await owner.query(
    `insert into push_browsers (workspace_id, user_id, endpoint, p256dh, auth, user_agent)
     values ($1, $2, 'https://push.example.com/' || $3, 'k', 'k', $3)`,
    [workspace, userId, marker],
  );
  for (const table of ['deliveries', 'job_executions'])
    await owner.query(`update ${table} set job_id = $2 where workspace_id = $1`, [workspace, things.failedJob]);
  await owner.query('update deliveries set contact_id = $2 where workspace_id = $1', [workspace, things.contact]);
  await owner.query(
    `insert into audit_log (workspace_id, actor_id, action, target, details)
     values ($1, $2::text::uuid, 'member.removed', $2::text, jsonb_build_object('name', $3::text))`,
    [workspace, userId, marker],
  );
  await owner.query(
    `update pictures set bytes = bytes || convert_to($3, 'UTF8') where workspace_id = $1 or user_id = $2`,
    [workspace, things.person, marker],
  );
  // What is public on purpose is no leak.
  await owner.query('update templates set is_public = false where workspace_id = $1', [workspace]);
  const tables = await tenantTables(owner);
  for (const { table, columns } of tables) {
    const marked = columns.flatMap(({ name, type }) => {
      if (type === 'text' && texts.includes(name)) return [`${name} = '${marker}' || ${name}`];
      const value = `regexp_replace(${name}::text, '"(subject|message|body|description)": "', '"\\1": "${marker}', 'g')::jsonb`;
      return type === 'jsonb' && objects.includes(name) ? [`${name} = ${value}`] : [];
    });
    if (marked.length > 0)
      await owner.query(`update ${table} set ${marked.join(', ')} where workspace_id = $1`, [workspace]);
  }
  await owner.query(`update workspaces set name = '${marker}', description = '${marker}' where id = $1`, [workspace]);
  await owner.query(
    `update profiles set full_name = '${marker}' where id in (select user_id from workspace_members where workspace_id = $1)`,
    [workspace],
  );
  const ids = new Set(Object.values(things));
  const sources = [
    'select user_id::text as id from workspace_members where workspace_id = $1',
    ...tables
      .filter(({ columns }) => columns.some(({ name }) => name === 'id'))
      .map(({ table }) => `select id::text from ${table} where workspace_id = $1`),
  ];
  const { rows } = await owner.query<{ id: string }>(sources.join(' union all '), [workspace]);
  for (const { id } of rows) ids.add(id);
  return {
    things,
    leaksIn: (answer, request) =>
      [marker, ...ids].filter((secret) => answer.includes(secret) && !request.includes(secret)),
    digest: () => digestOf(owner, { workspace, tables: tables.map(({ table }) => table) }),
  };
}

/** Every table whose rows belong to a workspace, with its columns. */
export async function tenantTables(
  owner: Client,
): Promise<{ table: string; columns: { name: string; type: string }[] }[]> {
  const { rows } = await owner.query(
    `select c.relname as table,
            json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      group by c.relname having bool_or(a.attname = 'workspace_id') order by c.relname`,
  );
  return rows;
}

async function digestOf(owner: Client, { workspace, tables }: { workspace: string; tables: readonly string[] }) {
  const parts = [
    ...tables.map((table) => `select '${table}' as t, x::text as r from ${table} x where workspace_id = $1`),
    "select 'workspaces', x::text from workspaces x where id = $1",
    `select 'profiles', x::text from profiles x where id in (select user_id from workspace_members where workspace_id = $1)`,
  ];
  const { rows } = await owner.query<{ t: string; digest: string }>(
    `select t, count(*) || ' ' || md5(string_agg(r, E'\\n' order by r)) as digest from (${parts.join(' union all ')}) every group by t`,
    [workspace],
  );
  return Object.fromEntries(rows.map(({ t, digest }) => [t, digest]));
}
