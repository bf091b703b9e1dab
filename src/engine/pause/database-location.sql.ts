/**
 * What the server is, and what of it we may read: an administrator may have revoked the functions, which everybody may call otherwise. Asked first, by
 * itself: PostgreSQL checks the rights on every function of a statement when it begins, also in branches that it never takes.
 * `waits_for_standby`: a commit is answered only once a standby has it on its disk.
 */
export const serverState = `
  select pg_is_in_recovery() as is_standby,
         has_function_privilege('pg_control_system()', 'execute') as may_read_cluster,
         has_function_privilege('pg_walfile_name(pg_lsn)', 'execute')
           and has_function_privilege('pg_current_wal_lsn()', 'execute') as may_read_timeline,
         current_setting('synchronous_standby_names') <> ''
           and current_setting('synchronous_commit') in ('on', 'remote_apply') as waits_for_standby,
         oid::text as database
    from pg_database where datname = current_database()`;

export const cluster = 'select system_identifier::text as id from pg_control_system()';

/** The server's WAL timeline, as in the names of its files. A promotion and a recovery to a point in time begin another one, a crash does not. */
export const timeline = 'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as id';
