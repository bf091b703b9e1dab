-- What an erasure says about texts of members that name the person, and what it does not report.

alter table erasures add column named_more integer not null default 0 check (named_more >= 0);
comment on column erasures.named_more is 'How many more texts name the person than `named_in` has.';
grant select (named_more) on erasures to cuebird_app;

-- These are only read: their authors alone change them. What a template says is in its versions.
drop policy owner_erases_person on templates;
do $$
declare
  name text;
begin
  foreach name in array array['template_versions', 'contact_groups'] loop
    execute format('create policy owner_erases_person on %I for select to current_user using (workspace_id = erasing_workspace())', name);
  end loop;
end
$$;

-- An entry of somebody who was erased is no news for others: it has their address until the erasure is over, or what stands in place of it.
create or replace function report_suppressions() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  listening uuid[] := workspaces_with_webhooks();
begin
  if cardinality(listening) = 0 then
    return null;
  end if;
  perform store_webhook_activity(n.workspace_id,
            case when n.reason in ('unsubscribed', 'stopped') then 'recipient.unsubscribed'
                 when n.reason = 'paused' then 'recipient.paused' else 'recipient.suppressed' end,
            case when tg_op = 'INSERT' then n.created_at else now() end, json_build_object('channel', n.channel, 'recipient', n.recipient, 'reason', n.reason, 'covers', n.covers,
                                            'topic_id', n.topic_id, 'topic_name', t.name, 'ends_at', instant_text(n.ends_at)))
     from added n
     left join topics t on t.workspace_id = n.workspace_id and t.id = n.topic_id
    where n.workspace_id = any (listening) and n.reason <> 'erased' and (tg_op = 'INSERT' or n.reason = 'paused');
  return null;
end
$$;
