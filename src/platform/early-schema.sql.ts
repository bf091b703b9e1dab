/** What the baseline names otherwise than the migrations before it. Columns by the old names of their tables. */
export const renamed = {
  tables: { channel_paces: 'channel_rate_limits', sandbox_rehearsals: 'sandbox_simulated_failures' },
  columns: {
    channel_paces: { held_until: 'backoff_until' },
    deliveries: { past: 'attempt_history' },
    notices: { told_on: 'mailed_on' },
  },
} as const satisfies { tables: Record<string, string>; columns: Record<string, Record<string, string>> };

/** As the owner, for whom FORCE has been lifted from the table. */
export const renameSettings = `
  update app_settings
     set key = case key when 'engine.hold' then 'engine.delivery_pause' when 'engine.place' then 'engine.location' else 'admin_setup' end,
         value = case when value ->> 'state' = 'held' then jsonb_set(value, '{state}', '"paused"') else value end
   where key in ('engine.hold', 'engine.place', 'claim')`;

/** Tables and columns keep their rows; constraints and indexes follow the names of what they belong to. */
export const renameObjects = `
  ${Object.entries(renamed.columns)
    .flatMap(([table, columns]) => Object.entries(columns).map(([from, to]) => [table, from, to]))
    .map(([table, from, to]) => `alter table ${table} rename column ${from} to ${to};`)
    .join('\n')}
  ${Object.entries(renamed.tables)
    .map(([from, to]) => `alter table ${from} rename to ${to};`)
    .join('\n')}

  do $$
  declare
    old record;
    changed text;
  begin
    for old in
      select k.conname as name, c.relname as table from pg_constraint k join pg_class c on c.oid = k.conrelid
       where c.oid in ('channel_rate_limits'::regclass, 'sandbox_simulated_failures'::regclass)
    loop
      changed := replace(replace(replace(old.name, 'channel_paces', 'channel_rate_limits'), 'sandbox_rehearsals', 'sandbox_simulated_failures'),
                         'held_until', 'backoff_until');
      execute format('alter table %I rename constraint %I to %I', old.table, old.name, changed);
    end loop;
    for old in select p.polrelid::regclass as table from pg_policy p where p.polname = 'forget_the_old' loop
      execute format('alter policy forget_the_old on %s rename to owner_deletes', old.table);
    end loop;
  end
  $$;

  alter policy forget_the_deleted on reminders rename to owner_deletes;
  alter policy lock_the_deleted on reminders rename to owner_locks;
  alter policy engine_forget on push_subscriptions rename to engine_delete;
  alter index channel_paces_workspace_id_channel_id_idx rename to channel_rate_limits_workspace_id_channel_id_idx;
  alter index jobs_held_back rename to jobs_paused_by_workspace;

  alter function past_of rename to attempt_history_of;
  alter function attempts_under_way rename to running_attempts;
  alter function let_owner_read rename to allow_owner_reads;
  alter function let_go_of_reminders rename to detach_jobs_of_reminders;
  alter function note_bad_end rename to set_end_times;
  alter function end_what_the_old_password_opened rename to revoke_access_of_old_password;
  alter trigger jobs_begin_badly on jobs rename to jobs_inserted_ended;
  alter trigger jobs_end_badly on jobs rename to jobs_ended;
  alter trigger a_password_is_set on auth_accounts rename to password_set;
  alter trigger a_password_is_changed on auth_accounts rename to password_changed;
  alter trigger sessions_end_everywhere on auth_sessions rename to announce_ended_sessions;
  alter trigger memberships_end_everywhere on workspace_members rename to announce_ended_memberships;
  alter trigger revoked_keys_end_everywhere on api_keys rename to announce_revoked_api_key;
  alter trigger people_change_everywhere on profiles rename to announce_changed_person;

  drop function forget_repeated_requests, forget_old_acts, forget_old_events, forget_deleted_reminders, forget_received_reports,
    forget_event_payloads, forget_expired_sessions, forget_expired_verifications, forget_expired_counts;`;
