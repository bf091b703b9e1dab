-- Groups are counted one by one, each through the index: for all rules at once every contact of the workspace was read.
drop function contacts_by_rules;
