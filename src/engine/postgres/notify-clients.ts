import type { Change } from '#contract/realtime.ts';

/** Tells the clients of these workspaces, once the transaction commits, which tables to fetch again. */
export const notifyClients = (workspaceIds: readonly string[]) => ({
  name: 'notify-clients',
  text: "select pg_notify('cuebird_changes', u.payload) from unnest($1::text[]) as u (payload)",
  values: [[...new Set(workspaceIds)].map((workspace) => JSON.stringify({ workspace, tables: engineTables }))],
});

const engineTables: Change['table'][] = ['jobs', 'deliveries', 'reminders'];
