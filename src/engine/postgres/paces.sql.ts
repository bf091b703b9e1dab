/**
 * Takes sending times of a limited channel, for as many messages as fit into the second that begins now: whoever asks
 * next, in whatever process, gets the times after these. Nobody takes times further ahead than that, so that a row which
 * says so was written by a clock that is wrong, and is not waited for. $1 channel, $2 messages, $3 messages per second, $4 now.
 */
export const takeTimes = {
  name: 'take-times',
  text: `
  with seen as (
    select p.channel_id,
           greatest(least(p.next_free, $4::timestamptz + interval '1 second' + make_interval(secs => 1 / $3::float8)), p.held_until, $4) as first
      from channel_paces p where p.channel_id = $1 for no key update
  ), taken as (
    select channel_id, first,
           greatest(0, least($2::int, ceil(extract(epoch from $4::timestamptz + interval '1 second' - first) * $3::float8)))::int as count
      from seen
  )
  update channel_paces p
     set next_free = t.first + make_interval(secs => t.count / $3::float8)
    from taken t
   where p.channel_id = t.channel_id
  returning t.first, t.count, p.next_free as next`,
};

/** The first time that a channel is limited; nothing where it has been deleted meanwhile. */
export const beginPace = {
  name: 'begin-pace',
  text: `
  insert into channel_paces (channel_id, workspace_id, next_free)
  select id, workspace_id, $3 from channels where workspace_id = $2 and id = $1
  on conflict do nothing`,
};

/** The provider asks for a rest. $1 channel, $2 until when. */
export const holdChannel = {
  name: 'hold-channel',
  text: 'update channel_paces set held_until = greatest(held_until, $2) where channel_id = $1',
};
