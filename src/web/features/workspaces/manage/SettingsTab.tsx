import './settings-styles.ts';
import { Button, NumberInput, Select, Switch } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Workspace, WorkspaceSettings } from '#contract/workspaces.ts';
import { sendingHoursText } from '#domain/sending-hours-text.ts';
import { useSaveSettings } from '#web/api/workspaces.ts';
import { hoursOf } from '#web/features/channels/hours/hours-draft.ts';
import { SendingHoursButton } from '#web/features/channels/hours/SendingHoursButton.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import classes from './manage.module.css';

const Stored = WorkspaceSettings.partial();

const outcomes = [
  { value: 'prefer_duplicate', label: 'Send it once more: somebody may get it twice' },
  { value: 'prefer_miss', label: 'Do not send it again: somebody may miss it' },
];

type SettingsTabProps = {
  workspace: Workspace;
  /** What was changed here and is not saved. */
  changes: Partial<WorkspaceSettings>;
  onChange: (changes: Partial<WorkspaceSettings>) => void;
};

/** Every setting of the workspace. Saving sends only what was changed, so that it keeps what somebody else saved meanwhile. */
export function SettingsTab({ workspace, changes, onChange }: SettingsTabProps) {
  const { mutateAsync, isPending } = useSaveSettings();
  const [problem, setProblem] = useState<string | null>(null);
  const stored = Stored.safeParse(workspace.settings).data ?? {};
  const settings = { ...stored, ...changes };
  const hours = hoursOf(workspace.settings);
  const change = (changed: Partial<WorkspaceSettings>) => {
    setProblem(null);
    onChange({ ...changes, ...changed });
  };
  const isChanged = Object.keys(changes).length > 0;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending || !isChanged) return;
    const parsed = Stored.safeParse(changes);
    if (!parsed.success) return setProblem(parsed.error.issues[0]?.message ?? null);
    try {
      await mutateAsync({ id: workspace.id, settings: parsed.data });
      onChange({});
      notifySuccess('Settings updated', 'Workspace settings have been saved successfully.');
    } catch (error) {
      notifyFailure('Error updating settings', error);
    }
  };

  return (
    <div className={classes.tab}>
      <RecordSection title="Settings">
        <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
          <Switch
            label="Allow Public Templates"
            aria-label="Allow Public Templates"
            description="Allow templates from this workspace to be publicly visible"
            checked={settings.allowPublicTemplates === true}
            onChange={(event) => change({ allowPublicTemplates: event.currentTarget.checked })}
          />
          <Switch
            label="Auto Archive Jobs"
            aria-label="Auto Archive Jobs"
            description="Automatically archive completed jobs after 30 days"
            checked={settings.autoArchiveJobs === true}
            onChange={(event) => change({ autoArchiveJobs: event.currentTarget.checked })}
          />
          <NumberInput
            label="Delete jobs after days"
            description="This many days after their end, jobs are deleted with their deliveries and executions. Leave it empty to keep them."
            placeholder="Never"
            allowDecimal={false}
            allowNegative={false}
            maxLength={6}
            value={settings.retentionDays ?? ''}
            error={problem}
            onChange={(days) => change({ retentionDays: days === '' ? null : Number(days) })}
          />
          <Select
            label="When it is unknown whether an SMS or chat message was sent"
            data={outcomes}
            allowDeselect={false}
            value={settings.unknownOutcomes ?? 'prefer_duplicate'}
            onChange={(value) =>
              change({ unknownOutcomes: value === 'prefer_miss' ? 'prefer_miss' : 'prefer_duplicate' })
            }
          />
          <div className={classes.save}>
            <Button type="submit" loading={isPending} disabled={!isChanged}>
              Save Settings
            </Button>
          </div>
        </form>
      </RecordSection>
      <RecordSection title="Sending hours" aside={<SendingHoursButton workspace={workspace} />}>
        <p className={classes.hours}>{hours === null ? 'Messages go out at any time.' : sendingHoursText(hours)}</p>
      </RecordSection>
    </div>
  );
}
