-- A hash of what a process lets go out (EGRESS_ALLOW, SANDBOX), so that two processes that differ are found. Null in rows of earlier versions.
alter table processes add column outbound text check (char_length(outbound) <= 64);
