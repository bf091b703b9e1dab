/**
 * Reserves rate slots of a rate-limited channel, for as many messages as fit into the second that begins now. The next
 * caller, in any process, gets the slots after these. Nobody reserves further ahead, so a row that says otherwise was
 * written by a wrong clock and is ignored. $1 channel, $2 messages, $3 messages per second, $4 now.
 */
export const takeTimes = {
  name: 'take-times',
  text: `
  with seen as (
    select p.channel_id,
           greatest(least(p.next_free, $4::timestamptz + interval '1 second' + make_interval(secs => 1 / $3::float8)), p.backoff_until, $4) as first
      from channel_rate_limits p where p.channel_id = $1 for no key update
  ), taken as (
    select channel_id, first,
           greatest(0, least($2::int, ceil(extract(epoch from $4::timestamptz + interval '1 second' - first) * $3::float8)))::int as count
      from seen
  )
  update channel_rate_limits p
     set next_free = t.first + make_interval(secs => t.count / $3::float8)
    from taken t
   where p.channel_id = t.channel_id
  returning t.first, t.count, p.next_free as next`,
};

/** Inserts a channel's row when it is first limited; nothing when the channel was deleted meanwhile. */
export const beginRateLimit = {
  name: 'begin-rate-limit',
  text: `
  insert into channel_rate_limits (channel_id, workspace_id, next_free)
  select id, workspace_id, $3 from channels where workspace_id = $2 and id = $1
  on conflict do nothing`,
};

/** Applies a provider's Retry-After. $1 channel, $2 until when. */
export const backOffChannel = {
  name: 'back-off-channel',
  text: 'update channel_rate_limits set backoff_until = greatest(backoff_until, $2) where channel_id = $1',
};
