-- Webhooks hear of consents that people give and withdraw. What an import brings is not told: it may be ten thousand, and who imports knows them.

create function report_consents() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  listening uuid[] := workspaces_with_webhooks();
begin
  if cardinality(listening) = 0 then
    return null;
  end if;
  perform store_webhook_activity(n.workspace_id, 'consent.' || n.kind, n.created_at,
            json_build_object('id', n.id, 'channel', n.channel, 'recipient', n.recipient, 'covers', n.covers, 'topic_id', n.topic_id, 'topic_name', t.name,
                              'method', n.method, 'text', x.text, 'said_at', instant_text(n.said_at)))
     from added n
     left join topics t on t.workspace_id = n.workspace_id and t.id = n.topic_id
     left join consent_texts x on x.workspace_id = n.workspace_id and x.id = n.text_id
    where n.workspace_id = any (listening) and n.kind in ('given', 'withdrawn') and n.method <> 'import';
  return null;
end
$$;
revoke all on function report_consents from public;
create trigger consents_reported after insert on consents
  referencing new table as added for each statement execute function report_consents();
