import '@mantine/core/styles/Switch.layer.css';
import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { misfirePolicies } from '#contract/misfire.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { misfireWords } from '#web/features/workspaces/misfire-words.ts';
import { NumberField } from '#web/ui/NumberField.tsx';
import classes from './manage.module.css';
import { outcomeWords, type SettingsDraft, settingLabels, storedSettings } from './settings-draft.ts';

export type FieldsProps = {
  workspace: Workspace;
  draft: SettingsDraft;
  /** What is wrong, by path. */
  problems: Record<string, string>;
  onChange: (change: SettingsDraft) => void;
};

/** What the workspace is called, here and by those who get its messages. */
export function IdentityFields({ workspace, draft, problems, onChange }: FieldsProps) {
  const name = draft.name ?? workspace.name;
  return (
    <div className={classes.form}>
      <TextInput
        label={settingLabels.name}
        description="What its members see."
        maxLength={100}
        value={name}
        error={problems.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Textarea
        label={settingLabels.description}
        maxLength={500}
        rows={2}
        value={draft.description ?? workspace.description}
        error={problems.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <TextInput
        label={settingLabels['settings.companyName']}
        description={
          'What those who get messages see: {{company_name}} in a text, the sender of a mail without a name of its own, and the pages to ' +
          'unsubscribe. Leave it empty to use the name of the workspace.'
        }
        placeholder={name}
        maxLength={100}
        value={draft.settings?.companyName ?? storedSettings(workspace).companyName}
        error={problems['settings.companyName']}
        onChange={(event) => onChange({ settings: { companyName: event.currentTarget.value } })}
      />
    </div>
  );
}

/** What mails in Markdown show of the workspace, beside its name and picture. */
export function MailFields({ workspace, draft, problems, onChange }: FieldsProps) {
  const settings = { ...storedSettings(workspace), ...draft.settings };
  return (
    <div className={classes.form}>
      <TextInput
        label={settingLabels['settings.mailColor']}
        description="The line at their head. Leave it empty for none."
        placeholder="#2563eb"
        maxLength={7}
        value={settings.mailColor}
        error={problems['settings.mailColor']}
        onChange={(event) => onChange({ settings: { mailColor: event.currentTarget.value.trim() } })}
        rightSection={
          <input
            type="color"
            className={classes.color}
            aria-label="Choose the colour"
            value={/^#[\da-f]{6}$/i.test(settings.mailColor) ? settings.mailColor : '#2563eb'}
            onChange={(event) => onChange({ settings: { mailColor: event.currentTarget.value } })}
          />
        }
      />
      <TextInput
        label={settingLabels['settings.postalLine']}
        description="Where your company is found, at their foot. Many countries require it in mail to customers."
        placeholder="12 Elm Street, Springfield, IL 62701"
        maxLength={200}
        value={settings.postalLine}
        error={problems['settings.postalLine']}
        onChange={(event) => onChange({ settings: { postalLine: event.currentTarget.value } })}
      />
    </div>
  );
}

export function SwitchFields({ workspace, draft, onChange }: FieldsProps) {
  const settings = { ...storedSettings(workspace), ...draft.settings };
  return (
    <div className={classes.form}>
      <Switch
        label={settingLabels['settings.allowPublicTemplates']}
        aria-label={settingLabels['settings.allowPublicTemplates']}
        description={
          workspace.demo_until === null
            ? 'Allow templates from this workspace to be publicly visible'
            : 'Allow templates from this workspace to be publicly visible; not those of a demo'
        }
        checked={settings.allowPublicTemplates}
        onChange={(event) => onChange({ settings: { allowPublicTemplates: event.currentTarget.checked } })}
      />
      <Switch
        label={settingLabels['settings.autoArchiveJobs']}
        aria-label={settingLabels['settings.autoArchiveJobs']}
        description="Automatically archive completed jobs after 30 days"
        checked={settings.autoArchiveJobs}
        onChange={(event) => onChange({ settings: { autoArchiveJobs: event.currentTarget.checked } })}
      />
    </div>
  );
}

const outcomes = Object.entries(outcomeWords).map(([value, label]) => ({ value, label }));

export function JobFields({ workspace, draft, problems, onChange }: FieldsProps) {
  const settings = { ...storedSettings(workspace), ...draft.settings };
  return (
    <div className={classes.form}>
      <NumberField
        label={settingLabels['settings.retentionDays']}
        description="This many days after their end, jobs are deleted with their deliveries and executions. Leave it empty to keep them."
        placeholder="Never"
        isWhole
        value={settings.retentionDays ?? ''}
        error={problems['settings.retentionDays']}
        onChange={(days) => onChange({ settings: { retentionDays: days === '' ? null : Number(days) } })}
      />
      <Select
        label={settingLabels['settings.misfire']}
        description="For when Cuebird was not running at the time. A reminder may say otherwise, on its Schedule tab."
        data={misfirePolicies.map((value) => ({ value, label: misfireWords[value] }))}
        allowDeselect={false}
        value={settings.misfire}
        onChange={(chosen) =>
          onChange({ settings: { misfire: misfirePolicies.find((one) => one === chosen) ?? 'latest' } })
        }
      />
      <Select
        label={settingLabels['settings.unknownOutcomes']}
        description={
          settings.unknownOutcomes === 'prefer_miss'
            ? 'Somebody may miss a message.'
            : 'Somebody may get a message twice.'
        }
        data={outcomes}
        allowDeselect={false}
        value={settings.unknownOutcomes}
        onChange={(value) =>
          onChange({ settings: { unknownOutcomes: value === 'prefer_miss' ? 'prefer_miss' : 'prefer_duplicate' } })
        }
      />
    </div>
  );
}
