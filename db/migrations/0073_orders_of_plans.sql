-- Two owners who order a plan for their workspace at the same moment must not both be charged.
alter table workspaces add column plan_order_until timestamptz;
comment on column workspaces.plan_order_until is 'While a page is made on which a plan can be paid; past or null when none is. Only one can be paid at a time.';
grant update (plan_order_until) on workspaces to cuebird_engine;
