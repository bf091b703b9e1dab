import { Box, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { EmailInput } from '#contract/common.ts';
import { ReportMailInput, type ReportMailOutcome, reportMailLimits } from '#contract/report-mails.ts';
import { parseRecipient } from '#domain/recipients.ts';
import type { ReportPerson } from '#web/api/jobs.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { useMailReport } from '#web/api/report-mails.ts';
import { act } from '#web/ui/act.ts';
import { notifySuccess } from '#web/ui/notify.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

type MailReportDialogProps = { jobId: string; person: ReportPerson; opened: boolean; onClose: () => void };

/** Asks for the addresses to which the report is mailed, and says what became of each. */
export default function MailReportDialog({ jobId, person, opened, onClose }: MailReportDialogProps) {
  const workspaceId = useWorkspaceId();
  const { mutateAsync, isPending } = useMailReport(jobId);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | undefined>();
  const [left, setLeft] = useState<readonly ReportMailOutcome[]>([]);

  const submit = useSubmit(async () => {
    const to = addressesIn(text);
    const wrong = to.filter((address) => !EmailInput.safeParse(address).success);
    if (wrong.length > 0) return setError(wrong.map((one) => `“${one}” is not an email address.`).join(' '));
    const parsed = ReportMailInput.safeParse({ to, ...person, timezone: viewerZone() });
    if (!parsed.success) return setError(Object.values(fieldErrors(parsed.error.issues))[0]);
    let notSent: ReportMailOutcome[] = [];
    const isAnswered = await act(
      mutateAsync(parsed.data).then((outcomes) => {
        notSent = outcomes.filter(({ outcome }) => outcome !== 'sent');
      }),
      { failed: 'Error mailing the report' },
    );
    if (!isAnswered) return;
    const sent = parsed.data.to.length - notSent.length;
    if (sent > 0) notifySuccess('Report mailed', `Sent to ${sent === 1 ? 'one address' : `${sent} addresses`}.`);
    setLeft(notSent);
    if (notSent.length === 0) return onClose();
    // Those that were sent are not sent again.
    setText(notSent.map(({ address }) => address).join(', '));
  });

  return (
    <FormDialog
      title="Email this report"
      opened={opened}
      width={520}
      isDirty={() => text !== '' && left.length === 0}
      onClose={onClose}
    >
      {(leave) => (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <TextInput
              label="Addresses"
              description={`Up to ${reportMailLimits.addresses}, with a comma between them. Each gets a mail of its own, with the report as a CSV file.`}
              placeholder="manager@example.com"
              inputMode="email"
              value={text}
              error={error}
              onChange={({ currentTarget }) => {
                setText(currentTarget.value);
                setError(undefined);
              }}
              data-autofocus
            />
            {left.length > 0 && (
              <div role="status">
                <Text size="sm">Not sent to:</Text>
                <Box component="ul" m={0} pl={20} fz={14}>
                  {left.map(({ address, outcome }) => (
                    <li key={address}>
                      {address}: {outcome === 'sent' ? '' : why[outcome]}
                    </li>
                  ))}
                </Box>
              </div>
            )}
            <Text size="sm" c="dimmed">
              The report has names, addresses and messages of people. Who gets it is recorded in the audit log. For a
              report of each month, see{' '}
              <TextLink
                to="/admin/workspace/$workspaceId/manage"
                params={{ workspaceId }}
                search={{ tab: 'reports' }}
                td="underline"
              >
                Monthly reports
              </TextLink>
              .
            </Text>
            <FormButtons onCancel={leave} isBusy={isPending}>
              Send report
            </FormButtons>
          </Stack>
        </form>
      )}
    </FormDialog>
  );
}

/** Each may have a name, `Ann Lee <ann@example.com>`, which is left out; those without one may be parted by blanks. */
const addressesIn = (text: string): string[] =>
  text
    .split(/[,;\n]+/)
    .flatMap((part) => (part.includes('<') ? [parseRecipient(part).address] : part.split(/\s+/)))
    .filter((address) => address !== '');

const why = {
  suppressed: 'it is on the suppression list of this workspace',
  refused: 'the mail server did not accept it',
} as const;
