import { Box, Button, Text } from '@mantine/core';
import { IconMail, IconPlus } from '@tabler/icons-react';
import { type MonthlyReport, monthlyReportLimits } from '#contract/monthly-reports.ts';
import { useProfile } from '#web/api/profile.ts';
import { useDeleteMonthlyReport, useMonthlyReports } from '#web/api/monthly-reports.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';
import { RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { MonthlyReportDialog } from './MonthlyReportDialog.tsx';

type Asked = { to: 'add' } | { to: 'edit' | 'delete'; report: MonthlyReport };

/** Who gets monthly reports of a workspace, for its owners and admins. */
export default function MonthlyReports({ workspaceId }: { workspaceId: string }) {
  const found = useMonthlyReports(workspaceId);
  const { state, dialog: shown, open } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const dialog = { workspaceId, ...shown };
  const isDemo = useProfile().data?.is_demo === true;
  const most = monthlyReportLimits.reports;
  const isFull = (found.data?.length ?? 0) >= most;
  return (
    <>
      <RecordSection
        title="Monthly reports"
        aside={
          <Button
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={isFull || isDemo}
            onClick={() => open({ to: 'add' })}
          >
            Add monthly report
          </Button>
        }
      >
        <Text px="var(--gutter)" pb={14} c="dimmed">
          On the first of each month, at 08:00 in the zone of this workspace, these addresses get a mail about the month
          before: its runs, how many people they reached, and why not the others. Each mail has a link that ends it.
          {isFull && ` A workspace has at most ${most}.`}
          {isDemo && ' The demo sends nothing outside: sign up to add one.'}
        </Text>
        <List
          isPart
          noun="monthly reports"
          of={found}
          cardClass={list.entry}
          card={(report) => <Row report={report} onAsk={(to) => open({ to, report })} />}
          empty={{
            icon: IconMail,
            title: 'No monthly reports yet',
            sentence: 'Add the address of somebody who wants to know what was sent, without an account.',
          }}
        />
      </RecordSection>
      {asked?.to === 'add' && <MonthlyReportDialog key={openCount} report={null} {...dialog} />}
      {asked?.to === 'edit' && <MonthlyReportDialog key={openCount} report={asked.report} {...dialog} />}
      {asked?.to === 'delete' && <DeleteDialog key={openCount} report={asked.report} {...dialog} />}
    </>
  );
}

type RowProps = { report: MonthlyReport; onAsk: (to: 'edit' | 'delete') => void };

function Row({ report, onAsk }: RowProps) {
  const { address, obstacle, refusal, created_by: by, created_at: at } = report;
  const small = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <>
      <span className={list.words}>
        <span className={list.title}>
          <span className={list.name}>{address}</span>
        </span>
        <span className={prose.note}>{aboutText(report)}</span>
        <span className={prose.note}>
          Set up by {by} on <InstantText at={at} show="day" />
        </span>
        {obstacle !== null && (
          <Box component="span" fz={13} c="var(--status-bad)">
            Not sent: {obstacleWords[obstacle]}
            {refusal !== null && <RefusalText {...refusal} />}
          </Box>
        )}
      </span>
      <span className={prose.actions}>
        <Button {...small} aria-label={`Edit the report to ${address}`} onClick={() => onAsk('edit')}>
          Edit
        </Button>
        <Button {...small} aria-label={`Delete the report to ${address}`} onClick={() => onAsk('delete')}>
          Delete
        </Button>
      </span>
    </>
  );
}

function RefusalText({ at, words, again_at: again }: NonNullable<MonthlyReport['refusal']>) {
  return (
    <>
      {words === null ? ' That was on ' : ' It said on '}
      <InstantText at={at} />
      {words === null ? '' : `: ${words}`}. It is tried again after <InstantText at={again} />.
    </>
  );
}

function aboutText({ reminder_id: reminder, about }: MonthlyReport): string {
  if (about === null) return 'The whole workspace';
  return reminder === null ? `The people of the group ${about}` : `The reminder ${about}`;
}

const obstacleWords = {
  suppressed: 'the address is on the suppression list of this workspace.',
  creator_may_not: 'whoever set it up is suspended, or is no owner or admin any more.',
  reminder_deleted: 'the reminder was deleted.',
  no_mail_server: 'this installation has no mail server. Its operator sets one.',
  declined: 'the mail server did not take it for this address.',
  unreachable:
    'the report could not be made, or the mail server of this installation did not answer or refused Cuebird. Its operator can see why in the log.',
} as const;

type DeleteDialogProps = {
  workspaceId: string;
  report: MonthlyReport;
  opened: boolean;
  onClose: () => void;
};

function DeleteDialog({ workspaceId, report: { id, address }, ...dialog }: DeleteDialogProps) {
  const { mutateAsync } = useDeleteMonthlyReport(workspaceId);
  return (
    <ActDialog
      title={`Delete the monthly report to ${address}?`}
      confirmLabel="Delete monthly report"
      run={() => mutateAsync(id)}
      done="Monthly report deleted"
      failed="Error deleting the monthly report"
      removesOpener
      {...dialog}
    >
      Nothing more is sent to this address.
    </ActDialog>
  );
}
