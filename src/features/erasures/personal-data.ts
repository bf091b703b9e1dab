import type { NamingText } from '#contract/erasures.ts';

/**
 * What is kept about people, table by table: where a person is found, and what erases it. `personal-data.test.ts` compares this with the columns of the
 * database, so that a new one says what becomes of it.
 *
 * Conditions are SQL about a row `t` of one workspace, with the parameters `:keys` (as the suppression list has them), `:spellings` (as the ledger may
 * have them), `:contacts`, `:pattern` (finds their addresses in a text), `:named` (their addresses and whole names), `:messages` (one-off messages to them
 * alone, by the ids of their reminders), `:shared` (those to others as well), `:traced` (finds their addresses, names and messages) and `:secret`.
 */

/** Why a text stays: it is about nobody who gets messages, it belongs to an account and goes with it, or as it says. */
type Kept = 'nobody' | 'account' | { because: string };

export type PersonalTable = {
  /** Which rows are about the person; left out where none are. Without `isDeleted` and `set` they stay. */
  where?: string;
  /** Their rows are deleted, with every column. */
  isDeleted?: true;
  /** What the columns become otherwise. */
  set?: Readonly<Record<string, string>>;
  kept?: Readonly<Record<string, Kept>>;
  /** What a person is given of these rows, as a select list; left out where other tables say it. Never what is about other people. */
  shown?: string;
};

/** Whether a pattern finds something in a text. A search for its literals, without gaps, comes first: it is many times as fast, and finds no less. */
const finds = (text: string, pattern = ':pattern') =>
  `(case when translate(lower(${text}), :gaps, '') like any (array(select lower(l) from unnest(:literals) as l)) then ${text} ~* ${pattern} else false end)`;
const names = (...columns: string[]) => columns.map((column) => finds(`t.${column}::text`)).join(' or ');
const erased = "'(erased)'";
/** A text without what a pattern finds. */
const withoutAny = (text: string, pattern = ':pattern') => `regexp_replace(${text}, ${pattern}, ${erased}, 'gi')`;
const without = (column: string) => withoutAny(`t.${column}`);

/** JSON without what a pattern finds. Where that was a number of the JSON itself, it becomes 0. */
const jsonWithoutAny = (json: string, pattern = ':pattern') =>
  `(case when pg_input_is_valid(${withoutAny(`(${json})::text`, pattern)}, 'jsonb')
         then ${withoutAny(`(${json})::text`, pattern)} else regexp_replace((${json})::text, ${pattern}, '0', 'gi') end)::jsonb`;
const ofNobody = (...columns: string[]): Record<string, Kept> =>
  Object.fromEntries(columns.map((column) => [column, 'nobody']));
const ofAccount = (...columns: string[]): PersonalTable => ({
  kept: Object.fromEntries(columns.map((column): [string, Kept] => [column, 'account'])),
});
const aboutNobody = (...columns: string[]): PersonalTable => ({ kept: ofNobody(...columns) });
const spelled = (column: string) => `lower(normalize(t.${column}, nfkc)) = any (:spellings)`;

/** SQL of what stands in place of a key, as `erasedKeyOf` makes it. */
export const erasedKey = (key: string) =>
  `'#' || translate(rtrim(encode(sha256(convert_to(:secret || ' ' || ${key}, 'UTF8')), 'base64'), '='), '+/', '-_')`;
export const erasedRecipient = (column: string) => erasedKey(`lower(normalize(t.${column}, nfkc))`);

/** A list of recipients without the person. */
const remaining = (lines: string) =>
  `(select coalesce(jsonb_agg(u.line order by u.n), '[]') from jsonb_array_elements_text(${lines}) with ordinality as u (line, n) where u.line !~* :pattern)`;
const withoutLine = (content: string, type: string) =>
  `(case when jsonb_typeof(${content}::jsonb -> 'recipients') = 'array'
         then jsonb_set(${content}::jsonb, '{recipients}', ${remaining(`${content}::jsonb -> 'recipients'`)}) else ${content}::jsonb end)::${type}`;
const listed = (content: string) =>
  `jsonb_typeof(${content}::jsonb -> 'recipients') = 'array' and (${content}::jsonb -> 'recipients')::text ~* :pattern`;

/** Whether a list of recipients names the person, and nobody else. */
const isTheirs = (payload: string) => `(${listed(payload)} and ${remaining(`${payload} -> 'recipients'`)} = '[]')`;

const emptied = (content: string) => `${content} || '{"subject": "(erased)", "message": "(erased)"}'`;

/**
 * Of a message to the person alone nothing stays. One to others as well loses the person's line, and their addresses in its text. The list
 * stays a list: an event without one goes to everybody whom its reminder names.
 */
const withoutThem = `
  case when ${isTheirs('t.payload')}
       then t.payload || '{"recipients": [], "values": {}, "data": {}}'
            || case when t.payload ? 'content' then jsonb_build_object('content', ${emptied("(t.payload -> 'content')")}) else '{}' end
       else ${jsonWithoutAny(withoutLine('t.payload', 'jsonb'))} end`;

/** The data of an event that waits still fills the messages to others: to those whom the event names, or its reminder does. */
const eventWithoutThem = `
  case when exists (
         select from jobs j left join reminders r on r.id = j.reminder_id
          where j.event_id = t.event_id and j.status not in ('completed', 'failed', 'cancelled')
            and (not ${isTheirs('t.payload')} or ${remaining("(r.content -> 'recipients')::jsonb")} <> '[]' or r.metadata ->> 'audience' is not null))
       then ${jsonWithoutAny(withoutLine('t.payload', 'jsonb'))}
       else ${withoutLine('t.payload', 'jsonb')} || '{"data": {}}' end`;

/** A text of a one-off message: gone where it is to the person alone, without their name where it is to others as well. Every other text is its author's. */
const written = (text: string) =>
  `case when t.id = any (:messages) then ${erased} when t.id = any (:shared) then ${withoutAny(text, ':named')} else ${text} end`;

const writtenContent = `
  (case when t.id = any (:messages)
        then ${emptied('t.content::jsonb')} || '{"recipients": []}' || case when t.content::jsonb ? 'values' then '{"values": {}}'::jsonb else '{}' end
        when t.id = any (:shared) then ${jsonWithoutAny(withoutLine('t.content', 'jsonb'), ':named')}
        else ${withoutLine('t.content', 'jsonb')} end)::json`;

/** Whether a job that names the person is a one-off message to somebody else, who may have the same name. */
const isToNamesake = `
  exists (select from reminders r
           where r.workspace_id = t.workspace_id and r.id = t.reminder_id and r.metadata ->> 'one_off' = 'true' and not r.id = any (:messages || :shared))`;

const theirText: Kept = { because: 'a text that a member wrote: the erasure says which ones name the person' };
const ofMembers: Kept = { because: 'a name that members gave to what is about many people' };
const inAuditLog: Kept = { because: 'entries of the audit log are never changed; they are deleted after 400 days' };

/** Where texts of members are searched for the person: `id` is that of what they write. */
export const namingColumns: Readonly<Record<NamingText, { table: string; id: string; texts: string; where?: string }>> =
  {
    reminder: {
      table: 'reminders',
      id: 'id',
      texts: `concat_ws(' ', t.name, t.description, t.content ->> 'subject', t.content ->> 'message', t.content ->> 'values')`,
      where: "t.status <> 'deleted' and not t.id = any (:messages || :shared)",
    },
    // A version has what its template has, or had.
    template: {
      table: 'template_versions',
      id: 'template_id',
      texts: `concat_ws(' ', t.name, t.description, t.content::text, t.variables::text)`,
    },
    group: { table: 'contact_groups', id: 'id', texts: `concat_ws(' ', t.name, t.rule::text)` },
  };

export const personalData: Readonly<Record<string, PersonalTable>> = {
  contacts: {
    shown: `t.name, t.first_name, t.last_name, t.salutation, t.email, t.phone, t.timezone, t.language, t.preferred_channel, t.note, t.tags, t.variables, t.paused_until, t.created_at, t.updated_at`,
    where: 't.email_key = any (:keys) or t.phone = any (:keys)',
    isDeleted: true,
  },
  contact_import_changes: {
    shown: `t.before, t.imported_at`,
    where:
      "t.contact_id = any (:contacts) or t.before ->> 'email_key' = any (:keys) or t.before ->> 'phone' = any (:keys)",
    isDeleted: true,
  },
  totals_misses: {
    where: spelled('recipient'),
    set: { recipient: erasedRecipient('recipient') },
    kept: ofNobody('channel'),
  },
  jobs: {
    shown: `t.id, t.name, t.scheduled_for, t.status, case when ${isTheirs('t.payload')} then t.payload - 'recipients' end as message`,
    where: `${names('payload', 'error_message', 'name')} or ${finds('t.name', ':named')} and not ${isToNamesake} or t.reminder_id = any (:messages) and t.name <> ${erased}`,
    set: {
      payload: withoutThem,
      name: `case when t.reminder_id = any (:messages) then ${erased} when ${isToNamesake} then ${without('name')} else ${withoutAny('t.name', ':named')} end`,
      error_message: without('error_message'),
    },
    kept: ofNobody('type', 'status', 'stop_reason', 'reason_code', 'run_outcome'),
  },
  job_executions: {
    where: names('error_message', 'logs'),
    set: { error_message: without('error_message'), logs: jsonWithoutAny('t.logs') },
    kept: ofNobody('status'),
  },
  reminders: {
    shown: `t.id, t.name, t.status, t.created_at, case when t.id = any (:messages) then t.content::jsonb - 'recipients' end as message`,
    where: `${listed('t.content')} or ${names('deleted_jobs')} or t.id = any (:messages) and t.name <> ${erased}
            or t.id = any (:shared) and ${finds("concat_ws(' ', t.name, t.description, t.content::text, t.deleted_jobs::text)", ':named')}`,
    set: {
      name: `left(${written('t.name')}, 100)`,
      description: `left(${written('t.description')}, 500)`,
      content: writtenContent,
      // A deleted message to nobody is sent to nobody when it is restored.
      deleted_jobs: `case when t.deleted_jobs is null then null when t.id = any (:messages) then '[]' else ${jsonWithoutAny('t.deleted_jobs', 'case when t.id = any (:shared) then :named else :pattern end')} end`,
    },
    kept: ofNobody('status', 'schedule_config', 'metadata', 'deleted_from', 'sort_key'),
  },
  // What a reminder said before: nobody can edit it.
  reminder_texts: {
    where: `${names('content')} or t.reminder_id = any (:messages) and t.content ->> 'message' <> ${erased} or t.reminder_id = any (:shared) and ${finds('t.content::text', ':named')}`,
    set: {
      content: `case when t.reminder_id = any (:messages) then ${emptied('t.content')}
                     else ${jsonWithoutAny('t.content', 'case when t.reminder_id = any (:shared) then :named else :pattern end')} end`,
    },
    kept: ofNobody('timezone'),
  },
  events: {
    where: names('key', 'hint'),
    // Two keys stay two.
    set: { key: erasedKey('t.key'), hint: `left(${without('hint')}, 300)` },
    kept: ofNobody('event', 'request_hash'),
  },
  event_payloads: {
    shown: `t.event_id, case when not t.payload ? 'recipients' or ${isTheirs('t.payload')} then t.payload -> 'data' end as data`,
    where: names('payload'),
    set: { payload: eventWithoutThem },
  },
  webhook_activities: {
    where: `${finds('t.body', ':traced')} or ${names('answer')}`,
    isDeleted: true,
  },
  idempotency_keys: { where: `${names('key')} or ${finds('t.answer', ':traced')}`, isDeleted: true },
  sandbox_messages: {
    shown: `t.channel, t.sender, t.recipient, t.subject, t.body_text, t.received_at`,
    where: `${spelled('recipient')} or ${finds("concat_ws(' ', t.sender, t.subject, t.body_text, t.body_html, t.headers, t.body_raw)", ':named')}`,
    isDeleted: true,
  },
  received_reports: {
    shown: `t.channel, t.provider, t.kind, t.sent_at`,
    where: spelled('sender'),
    isDeleted: true,
  },
  suppressions: {
    shown: `t.channel, t.recipient, t.reason, t.covers, t.topic_id, t.created_at`,
    where: 't.recipient = any (:keys)',
    isDeleted: true,
  },
  preferences: {
    shown: `t.address, t.hours, t.created_at`,
    where: 't.address = any (:keys)',
    isDeleted: true,
  },
  sent_counts: { where: 't.recipient = any (:keys)', isDeleted: true },
  consents: {
    shown: `t.channel, t.recipient, t.kind, t.covers, t.topic_id, t.method, t.said_at, (select x.text from consent_texts x where x.workspace_id = t.workspace_id and x.id = t.text_id) as text`,
    where: `${spelled('recipient')} and t.recipient !~ '^#'`,
    set: { recipient: erasedRecipient('recipient'), source: "'{}'", client_address: 'null' },
    kept: {
      ...ofNobody('channel', 'covers', 'kind', 'method', 'actor_kind'),
      actor_name: 'account',
      actor_email: 'account',
    },
  },
  monthly_reports: {
    shown: `t.address, t.created_at, t.reported_month`,
    where: 't.address_key = any (:keys)',
    isDeleted: true,
  },
  notices: {
    where: `${finds('t.name', ':named')} or ${names('reason')}`,
    set: { name: withoutAny('t.name', ':named'), reason: without('reason') },
    kept: ofNobody('timezone', 'kind'),
  },
  // Last: a claim that still finds the person in a list must find their row.
  deliveries: {
    shown: `t.job_id, t.channel, t.recipient, t.recipient_name, t.scheduled_for, t.status, t.attempts, t.first_attempt_at, t.completed_at, t.provider, t.provider_answer, t.reason`,
    where: `t.channel not in ('slack', 'push') and t.recipient not like 'http%://%' and t.recipient !~ '^#'
            and (t.contact_id = any (:contacts)
                 or address_hash(t.recipient) = any (array(select address_hash(s) from unnest(:spellings) as s)) and ${spelled('recipient')})`,
    set: {
      recipient: erasedRecipient('recipient'),
      recipient_name: 'null',
      through: `case when ${spelled('through')} then ${erasedRecipient('through')} else t.through end`,
      reason: without('reason'),
      reason_params: `case when t.reason_params is null then null else ${jsonWithoutAny('t.reason_params')} end`,
      provider_id: 'null',
      provider_answer: 'null',
      attempt_history: 'null',
    },
    kept: {
      ...ofNobody('channel', 'status', 'provider', 'reason_code'),
      content_hash: { because: 'the hash of what was sent is its proof, and leads to no text' },
    },
  },

  consent_texts: { kept: { text: { because: 'what people were asked to agree to, the same for many' } } },
  templates: { kept: { name: theirText, description: theirText, content: theirText, variables: theirText } },
  template_versions: { kept: { name: theirText, description: theirText, content: theirText, variables: theirText } },
  template_categories: { kept: { name: ofMembers, description: ofMembers, color: 'nobody' } },
  contact_groups: { kept: { name: theirText, rule: theirText, sort_key: theirText } },
  calendar_sources: {
    kept: {
      ...ofNobody('sealed_url', 'host', 'file_name', 'offsets', 'all_day_time', 'etag', 'last_modified', 'failure'),
      name: ofMembers,
      file: { because: 'a calendar as it was given: it is read again with its next change' },
      left_out: { because: 'events of that calendar, which go with it' },
    },
  },
  audit_log: {
    where: names('details'),
    shown: `t.created_at, t.action`,
    kept: {
      ...ofNobody('action', 'target', 'actor_kind', 'kind', 'client_address'),
      details: inAuditLog,
      actor_name: 'account',
      actor_email: 'account',
    },
  },
  claims: {
    kept: {
      worker: 'nobody',
      begun: { because: 'first attempts until their outcome: the erasure waits until they have ended' },
    },
  },
  erasures: {
    kept: {
      ...ofNobody('hashes', 'counts', 'named_in'),
      asked_how: { because: 'the form asks for words that name nobody' },
      sealed_people: { because: 'until the erasure has ended' },
    },
  },
  erasure_secrets: aboutNobody('sealed_secret'),
  log_entries: {
    kept: {
      ...ofNobody('level', 'process'),
      ...Object.fromEntries(
        ['message', 'details'].map((column): [string, Kept] => [
          column,
          { because: 'the log of the installation names no recipient' },
        ]),
      ),
    },
  },

  alerts: aboutNobody('cause', 'detail'),
  api_keys: aboutNobody('name', 'role', 'prefix', 'token_hash', 'scopes'),
  app_settings: aboutNobody('key', 'value'),
  calendar_feeds: aboutNobody('shows', 'token_hash'),
  channels: aboutNobody('name', 'type', 'configuration', 'sealed_secrets'),
  contact_imports: aboutNobody('file_name', 'default_country', 'status', 'counts', 'undo'),
  contact_words: aboutNobody('kind', 'word'),
  delivery_days: aboutNobody('channel', 'outcome'),
  health_days: aboutNobody('component'),
  hook_calls: aboutNobody('problem'),
  minute_figures: aboutNobody('kind'),
  pictures: aboutNobody('media_type', 'sha256', 'bytes'),
  process_figures: aboutNobody('thread', 'figures'),
  processes: aboutNobody('role', 'version', 'host', 'outbound'),
  reminder_hooks: aboutNobody('sealed_secret'),
  request_counts: {
    kept: { bucket: 'nobody', subject: { because: 'counts of requests by address, for a day at most' } },
  },
  sandbox_payments: aboutNobody('id', 'kind', 'customer_id', 'body'),
  sandbox_simulated_failures: aboutNobody('channel', 'failure'),
  schema_migrations: aboutNobody('name', 'hash'),
  signing_secrets: aboutNobody('sealed_secret', 'sealed_previous'),
  topics: aboutNobody('name', 'kind', 'why'),
  totals_channels: aboutNobody('channel'),
  totals_reasons: aboutNobody('channel', 'reason'),
  unknown_paths: aboutNobody('path'),
  webhooks: aboutNobody('url', 'activity_types', 'last_outcome', 'last_answer'),
  workspace_imports: aboutNobody('status'),
  workspaces: aboutNobody(
    'name',
    'slug',
    'description',
    'avatar_url',
    'settings',
    'subscription_status',
    'subscription_tier',
    'company_name',
  ),

  auth_accounts: ofAccount(
    'account_id',
    'provider_id',
    'access_token',
    'refresh_token',
    'id_token',
    'scope',
    'password',
  ),
  auth_email_changes: ofAccount('email', 'token_hash'),
  auth_reauthentication_codes: ofAccount('code_hash'),
  auth_sessions: ofAccount('token', 'ip_address', 'user_agent'),
  auth_two_factors: ofAccount('secret', 'backup_codes'),
  auth_verifications: ofAccount('identifier', 'value'),
  billing_customers: ofAccount('customer_id'),
  billing_events: ofAccount('id', 'type'),
  demo_requests: ofAccount('name', 'email', 'message'),
  profiles: ofAccount('email', 'full_name', 'avatar_url', 'time_zone'),
  push_browsers: ofAccount('endpoint', 'p256dh', 'auth', 'user_agent'),
  subscriptions: ofAccount('id', 'customer_id', 'tier', 'status'),
  support_answers: ofAccount('author', 'message'),
  support_requests: ofAccount('email', 'category', 'subject', 'message'),
  workspace_invitations: ofAccount('email', 'role', 'token_hash'),
  workspace_members: ofAccount('role'),
};
