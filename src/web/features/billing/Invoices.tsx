import { Anchor, Text } from '@mantine/core';
import type { Invoice } from '#contract/billing.ts';
import { useInvoices } from '#web/api/billing.ts';
import type { Tone } from '#web/app/theme.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { money, statusWord } from './plan-words.ts';

const tones: Record<Invoice['status'], Tone> = {
  draft: 'quiet',
  open: 'bad',
  paid: 'good',
  uncollectible: 'bad',
  void: 'quiet',
};

/** What was charged for the workspace, newest first. */
export function Invoices({ workspaceId }: { workspaceId: string }) {
  const invoices = useInvoices(workspaceId, { isOwner: true });
  return (
    <RecordSection title="Invoices">
      <Loaded of={invoices} failed="Error loading invoices">
        {(rows) =>
          rows.length === 0 ? (
            <Text p="16px var(--gutter)" c="dimmed">
              Nothing was charged yet.
            </Text>
          ) : (
            <Table rows={rows} columns={columns} />
          )
        }
      </Loaded>
    </RecordSection>
  );
}

const columns: readonly Column<Invoice>[] = [
  { title: 'Date', cell: ({ created_at: at }) => <InstantText at={at} show="day" /> },
  {
    title: 'Invoice',
    cell: ({ url, number }) =>
      url === null ? (
        (number ?? 'Draft')
      ) : (
        <Anchor href={url} target="_blank" rel="noreferrer">
          {number ?? 'Invoice'}
        </Anchor>
      ),
  },
  { title: 'Status', cell: ({ status }) => <ToneBadge word={statusWord(status)} tone={tones[status]} /> },
  { title: 'Total', isNumber: true, cell: ({ total, currency }) => money(total, currency) },
];
