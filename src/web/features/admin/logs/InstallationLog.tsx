import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { ActKind } from '#contract/acts.ts';
import { auditLogDays, searchedDays } from '#contract/audit-log.ts';
import { useInstallationActs } from '#web/api/admin-logs.ts';
import { actColumns, Day, kindChoice } from '#web/features/workspaces/manage/AuditTab.tsx';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { List } from '#web/ui/List.tsx';
import list from '#web/ui/list.module.css';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';

/** The acts that belong to no workspace, or those of a workspace that is gone. */
export function InstallationLog() {
  const { change, ...search } = useAdminSearch();
  const { workspace, from, to } = search;
  const kind = ActKind.options.find((known) => known === search.kind);
  const found = useInstallationActs({ search: search.search ?? '', workspace, kind, from, to });
  return (
    <>
      <p className={list.note}>
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
      <FilterBar
        search={{
          label: 'Search the audit log',
          value: search.search ?? '',
          onSearch: (text) => change({ search: text || undefined }),
        }}
        choices={[kindChoice({ value: kind, onChoose: (chosen) => change({ kind: chosen }) })]}
      >
        <Day word="From" label="From day" value={from} max={to} onChange={(chosen) => change({ from: chosen })} />
        <Day word="To" label="To day" value={to} min={from} onChange={(chosen) => change({ to: chosen })} />
      </FilterBar>
      <List
        noun="the audit log"
        of={found}
        columns={actColumns}
        extent={({ length }) => `${length.toLocaleString('en')} shown`}
        noMatch={{
          icon: IconHistory,
          title: 'No entries found',
          sentence: 'No entry of the audit log matches these filters.',
          all: 'Show all entries',
          onShowAll: () => change({ search: undefined, kind: undefined, from: undefined, to: undefined }),
        }}
      />
    </>
  );
}
