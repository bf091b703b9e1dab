import { Anchor, Text } from '@mantine/core';
import type { Invoice } from '#contract/billing.ts';
import { useInvoices } from '#web/api/billing.ts';
import type { Tone } from '#web/app/theme.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import list from '#web/ui/list.module.css';
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
      <Loaded of={invoices} failed="Failed to load invoices">
        {(rows) =>
          rows.length === 0 ? (
            <Text py="md" px={20} c="dimmed">
              Nothing was charged yet.
            </Text>
          ) : (
            <Table invoices={rows} />
          )
        }
      </Loaded>
    </RecordSection>
  );
}

const Table = ({ invoices }: { invoices: readonly Invoice[] }) => (
  <table className={list.table}>
    <thead>
      <tr>
        <th scope="col">Date</th>
        <th scope="col">Invoice</th>
        <th scope="col">Status</th>
        <th scope="col" className={list.number}>
          Total
        </th>
      </tr>
    </thead>
    <tbody>
      {invoices.map((invoice) => (
        <tr key={invoice.id}>
          <td>
            <InstantText at={invoice.created_at} show="day" />
          </td>
          <td>
            {invoice.url === null ? (
              (invoice.number ?? 'Draft')
            ) : (
              <Anchor href={invoice.url} target="_blank" rel="noreferrer">
                {invoice.number ?? 'Invoice'}
              </Anchor>
            )}
          </td>
          <td>
            <ToneBadge word={statusWord(invoice.status)} tone={tones[invoice.status]} />
          </td>
          <td className={list.number}>{money(invoice.total, invoice.currency)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
