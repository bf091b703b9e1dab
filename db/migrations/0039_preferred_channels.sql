-- Over which channel a person wants messages, where a reminder tries its channels in order.

-- Without a default and unchecked on old rows, which have none: no row is written or read under the lock.
alter table contacts
  add column preferred_channel text,
  add constraint contacts_preferred_channel check (preferred_channel in ('email', 'sms', 'whatsapp')) not valid;
grant update (preferred_channel) on contacts to cuebird_app;
