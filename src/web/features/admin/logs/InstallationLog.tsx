import { Button, Select } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { ActKind, actKinds } from '#contract/acts.ts';
import { auditLogDays, searchedDays } from '#contract/audit-log.ts';
import { useInstallationActs } from '#web/api/admin-logs.ts';
import { ActRows, ActRowsSkeleton } from '#web/features/workspaces/manage/ActRows.tsx';
import { Day } from '#web/features/workspaces/manage/AuditTab.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from '#web/features/admin/admin.module.css';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';

const failed = 'Error loading the audit log';

const kindChoices = ActKind.options.map((value) => ({ value, label: actKinds[value] }));

/** The acts that belong to no workspace, or those of a workspace that is gone. */
export function InstallationLog() {
  const { search, change } = useAdminSearch();
  const { workspace, from, to } = search;
  const kind = ActKind.options.find((known) => known === search.kind);
  const found = useInstallationActs({ search: search.search ?? '', workspace, kind, from, to });
  return (
    <>
      <p className={classes.quiet}>
        {workspace === undefined
          ? 'Sign-ins, accounts and administration. What happens in a workspace is in its own audit log.'
          : 'The audit log of a workspace that is gone.'}{' '}
        Entries are kept for {auditLogDays} days. A search looks at the last {searchedDays} days unless you choose a
        day.
      </p>
      {workspace !== undefined && (
        <div>
          <Button variant="default" onClick={() => change({ workspace: undefined })}>
            Show the log of the installation
          </Button>
        </div>
      )}
      <search className={classes.filters}>
        <SearchBox
          className={classes.search}
          label="Search the audit log"
          value={search.search ?? ''}
          onSearch={(text) => change({ search: text || undefined })}
        />
        <Select
          className={classes.choice}
          aria-label="Filter by kind"
          placeholder="Everything"
          clearable
          clearButtonProps={{ 'aria-label': 'Everything' }}
          data={kindChoices}
          value={kind ?? null}
          onChange={(chosen) => change({ kind: chosen ?? undefined })}
        />
        <Day word="From" label="From day" value={from} max={to} onChange={(chosen) => change({ from: chosen })} />
        <Day word="To" label="To day" value={to} min={from} onChange={(chosen) => change({ to: chosen })} />
      </search>
      <ListCard
        label="Audit log"
        of={found}
        failed={failed}
        skeleton={<ActRowsSkeleton />}
        empty={
          <EmptyState
            icon={IconHistory}
            title="No entries found"
            sentence="No entry of the audit log matches these filters."
            action={
              <Button
                variant="default"
                onClick={() => change({ search: undefined, kind: undefined, from: undefined, to: undefined })}
              >
                Show all entries
              </Button>
            }
          />
        }
      >
        {(rows) => (
          <>
            <ActRows acts={rows} isStale={found.isPlaceholderData} />
            <LoadMore of={found}>{rows.length.toLocaleString('en')} shown</LoadMore>
          </>
        )}
      </ListCard>
    </>
  );
}
