import { newestConsent } from '#platform/newest-consent.ts';

/** The channels of these workspaces, the most recently changed first. */
export const channelsOf = {
  name: 'channels-of',
  text: `
  select id, workspace_id, type, is_active, configuration, sealed_secrets, rate_limit_per_second, updated_at
    from channels
   where workspace_id = any ($1::uuid[])
   order by updated_at desc`,
};

/**
 * What the suppression list says of these messages. $1 workspaces, $2 channels, $3 keys, $4 topics. The topic is read only for entries that are found.
 */
export const suppressedAmong = {
  name: 'suppressed-among',
  text: `
  select u.n::integer - 1 as at, s.covers, s.reason, s.topic_id, s.ends_at,
         (select t.kind from topics t where t.workspace_id = u.workspace_id and t.id = u.topic_id) as kind
    from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) with ordinality as u (workspace_id, channel, key, topic_id, n)
    join suppressions s on s.workspace_id = u.workspace_id and s.channel = u.channel and s.recipient = u.key
   where s.covers <> 'topic' or s.topic_id = u.topic_id`,
};

/** Those of these messages to which a consent is on record. $1 workspaces, $2 channels, $3 keys, $4 topics. */
export const consented = {
  name: 'consented',
  text: `
  select u.n::integer - 1 as at
    from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) with ordinality as u (workspace_id, channel, key, topic_id, n)
   where ${newestConsent({ workspace: 'u.workspace_id', channel: 'u.channel', key: 'u.key', topic: 'u.topic_id' })} = 'given'`,
};

/** In which hours these addresses and numbers want messages. $1 workspaces, $2 addresses and numbers. */
export const wishesAmong = {
  name: 'wishes-among',
  text: `
  select p.workspace_id, p.address, p.hours
    from unnest($1::uuid[], $2::text[]) as u (workspace_id, address)
    join preferences p on p.workspace_id = u.workspace_id and p.address = u.address`,
};

/**
 * What keeps these people from runs: contacts of audiences by their ids, others by address or number. $1 workspaces, $2 jobs, $3 contacts or null,
 * $4 addresses and numbers.
 */
export const exclusionsAmong = {
  name: 'exclusions-among',
  text: `
  with asked as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as u (workspace_id, job_id, contact_id, key)
  ), person as (
    select a.*, c.id, c.paused_until, c.timezone
      from asked a join contacts c on c.workspace_id = a.workspace_id and c.id = a.contact_id
     union all
    select a.*, c.id, c.paused_until, c.timezone
      from asked a join contacts c on c.workspace_id = a.workspace_id and c.email_key = a.key
     where a.contact_id is null and a.key like '%@%'
     union all
    select a.*, c.id, c.paused_until, c.timezone
      from asked a join contacts c on c.workspace_id = a.workspace_id and c.phone = a.key
     where a.contact_id is null and a.key not like '%@%'
  )
  select p.job_id, p.contact_id, p.key, p.paused_until::text, p.timezone, s.job_id is not null as is_skipped
    from person p
    left join job_skips s on s.job_id = p.job_id and s.contact_id = p.id
   where p.paused_until is not null or s.job_id is not null`,
};

/**
 * The people of an audience now. $1 workspace, $2 whether it is everyone, $3 groups, $4 tags, $5 contacts, $6 only among these contacts, $7 at most.
 * Each is looked up by key: a planner without statistics would compare every contact with every person.
 */
export const audienceNow = {
  name: 'audience-now',
  text: `
  select c.id, c.name, c.email, c.phone, a.through
    from audience_of($1, $2, $3, $4, $5, $6, $7) a
   cross join lateral (select * from contacts where workspace_id = $1 and id = a.id offset 0) c
   order by c.id limit $7`,
};

/** The contacts of the workspaces with these addresses and numbers. */
export const contactsAmong = {
  name: 'contacts-among',
  text: `
  with asked as (select * from unnest($1::uuid[], $2::text[]) as u (workspace_id, key))
  select a.workspace_id, a.key, c.id, c.name, c.first_name, c.last_name, c.salutation, c.language, c.email, c.phone, c.timezone, c.preferred_channel, c.variables
    from asked a
    join contacts c on c.workspace_id = a.workspace_id and c.email_key = a.key
   where a.key like '%@%'
   union all
  select a.workspace_id, a.key, c.id, c.name, c.first_name, c.last_name, c.salutation, c.language, c.email, c.phone, c.timezone, c.preferred_channel, c.variables
    from asked a
    join contacts c on c.workspace_id = a.workspace_id and c.phone = a.key
   where a.key not like '%@%'`,
};
