import { Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type MonthlyReport, MonthlyReportInput } from '#contract/monthly-reports.ts';
import { ApiError } from '#web/api/client.ts';
import { useCreateMonthlyReport, useReportSubjects, useUpdateMonthlyReport } from '#web/api/monthly-reports.ts';
import { act } from '#web/ui/act.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

type MonthlyReportDialogProps = {
  workspaceId: string;
  /** Null adds one. */
  report: MonthlyReport | null;
  opened: boolean;
  onClose: () => void;
};

const workspaceChoice = 'workspace';

/** Asks for an address, and for what the report is about where it is a new one. */
export function MonthlyReportDialog({ workspaceId, report, opened, onClose }: MonthlyReportDialogProps) {
  const create = useCreateMonthlyReport(workspaceId);
  const update = useUpdateMonthlyReport(workspaceId);
  const before = report?.address ?? '';
  const [address, setAddress] = useState(before);
  const [about, setAbout] = useState(workspaceChoice);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const words = report === null ? 'added' : 'saved';

  const submit = useSubmit(async () => {
    const [kind, id = null] = about.split(' ');
    const parsed = MonthlyReportInput.safeParse({
      address,
      reminder_id: kind === 'reminder' ? id : null,
      group_id: kind === 'group' ? id : null,
    });
    if (!parsed.success) return setErrors(fieldErrors(parsed.error.issues));
    const saving =
      report === null
        ? create.mutateAsync(parsed.data)
        : update.mutateAsync({ id: report.id, address: parsed.data.address });
    const isSaved = await act<unknown>(saving, {
      done: `Monthly report ${words}`,
      failed: 'Error saving the monthly report',
      refused: (error) => {
        if (!(error instanceof ApiError) || error.status !== 409) return false;
        setErrors({ address: error.message });
        return true;
      },
    });
    if (isSaved) onClose();
  });

  return (
    <FormDialog
      title={report === null ? 'Add a monthly report' : 'Edit the monthly report'}
      opened={opened}
      width={520}
      isDirty={() => address !== before || about !== workspaceChoice}
      onClose={onClose}
    >
      {(leave) => (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <TextInput
              label="Address"
              description="They need no account. The report has names of reminders and figures, not the names of people."
              placeholder="manager@example.com"
              type="email"
              maxLength={254}
              value={address}
              error={errors.address}
              onChange={({ currentTarget }) => {
                setAddress(currentTarget.value);
                setErrors({});
              }}
              data-autofocus
            />
            {report === null && <AboutSelect workspaceId={workspaceId} value={about} onChange={setAbout} />}
            <FormButtons onCancel={leave} isBusy={create.isPending || update.isPending}>
              {report === null ? 'Add monthly report' : 'Save monthly report'}
            </FormButtons>
          </Stack>
        </form>
      )}
    </FormDialog>
  );
}

type AboutSelectProps = { workspaceId: string; value: string; onChange: (value: string) => void };

function AboutSelect({ workspaceId, value, onChange }: AboutSelectProps) {
  const [search, setSearch] = useState('');
  const { data } = useReportSubjects(workspaceId, { search });
  const items = [
    { group: 'Workspace', items: [{ value: workspaceChoice, label: 'The whole workspace' }] },
    {
      group: 'Groups',
      items: (data?.groups ?? []).map(({ id, name }) => ({ value: `group ${id}`, label: name })),
    },
    {
      group: 'Reminders',
      items: (data?.reminders ?? []).map(({ id, name }) => ({ value: `reminder ${id}`, label: name })),
    },
  ];
  return (
    <Select
      label="About"
      description="The whole workspace, a reminder, or the people of a group"
      data={items}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      searchable
      onSearchChange={(text) =>
        setSearch(items.some(({ items: of }) => of.some(({ label }) => label === text)) ? '' : text)
      }
      nothingFoundMessage="Nothing has this name"
      maxDropdownHeight={280}
    />
  );
}
