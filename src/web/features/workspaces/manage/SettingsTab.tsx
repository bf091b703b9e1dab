// Styles of components that only this tab uses; they load with the screen, not with the shell.
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
import { Button, Card, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { restorableDays } from '#contract/workspace-deletion.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { sendingHoursText } from '#domain/sending-hours-text.ts';
import { pictureUrl } from '#web/api/picture-url.ts';
import { useSetWorkspacePicture } from '#web/api/workspace-picture.ts';
import { useSaveSettings } from '#web/api/workspaces.ts';
import { useDeleteWorkspace } from '#web/api/workspace-deletion.ts';
import { hoursOf } from '#web/features/channels/hours/hours-draft.ts';
import { SendingHoursButton } from '#web/features/channels/hours/SendingHoursButton.tsx';
import { PersonalDataSection } from '#web/features/erasures/PersonalDataSection.tsx';
import { WorkspaceFileSection } from '#web/features/workspace-file/WorkspaceFileSection.tsx';
import { act } from '#web/ui/act.ts';
import { PictureField } from '#web/ui/picture/PictureField.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import prose from '#web/ui/prose.module.css';
import record from '#web/ui/record.module.css';
import { notifySuccess } from '#web/ui/notify.tsx';
import { TypeToDeleteDialog } from '#web/ui/TypeToDeleteDialog.tsx';
import { changedOnly, namesOf, parseDraft, type SettingsDraft } from './settings-draft.ts';
import { ConsentFields } from './ConsentFields.tsx';
import { FrequencyFields } from './FrequencyFields.tsx';
import { IdentityFields, JobFields, MailFields, SwitchFields } from './SettingsFields.tsx';

type SettingsTabProps = {
  workspace: Workspace;
  /** What was changed here and is not saved. */
  draft: SettingsDraft;
  onChange: (draft: SettingsDraft) => void;
};

/** Every setting of the workspace. Saving sends only what was changed, so that it keeps what somebody else saved meanwhile. */
export function SettingsTab({ workspace, draft, onChange }: SettingsTabProps) {
  const { mutateAsync, isPending } = useSaveSettings();
  const [problems, setProblems] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  const hours = hoursOf(workspace.settings);
  const changes = changedOnly(draft, workspace);
  const unsaved = namesOf(changes);

  const change = ({ settings, ...fields }: SettingsDraft) => {
    setProblems({});
    onChange({ ...draft, ...fields, settings: { ...draft.settings, ...settings } });
  };
  /** The button is below the fields, which may be out of sight. */
  const refuse = (wrong: Record<string, string>) => {
    setProblems(wrong);
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  const submit = useSubmit(async () => {
    if (unsaved.length === 0) return;
    const parsed = parseDraft(changes);
    if ('problems' in parsed) return refuse(parsed.problems);
    const isSaved = await act(mutateAsync({ id: workspace.id, ...parsed.body }), {
      done: ['Settings updated', 'Workspace settings have been saved successfully.'],
      failed: 'Error updating settings',
    });
    if (isSaved) onChange({});
  });
  const fields = { workspace, draft, problems, onChange: change };

  return (
    <div className={record.column}>
      <form ref={form} className={record.column} noValidate onSubmit={submit}>
        <RecordSection title="Workspace">
          <IdentityFields {...fields} />
        </RecordSection>
        <RecordSection title="Mails">
          <MailFields {...fields} />
        </RecordSection>
        <RecordSection title="Settings">
          <SwitchFields {...fields} />
          <JobFields {...fields} />
        </RecordSection>
        <RecordSection title="Consent">
          <ConsentFields {...fields} />
        </RecordSection>
        <RecordSection title="Frequency">
          <FrequencyFields {...fields} />
        </RecordSection>
        <Card padding={20} display="flex">
          <Group gap={12} justify="space-between">
            <p className={prose.dimParagraph} role="status">
              {unsaved.length === 0 ? 'Everything is saved.' : `Not saved: ${unsaved.join(', ')}.`}
            </p>
            <Group gap={8}>
              {unsaved.length > 0 && (
                <Button
                  variant="default"
                  onClick={() => {
                    setProblems({});
                    onChange({});
                  }}
                >
                  Discard
                </Button>
              )}
              <Button type="submit" loading={isPending} disabled={unsaved.length === 0}>
                Save Settings
              </Button>
            </Group>
          </Group>
        </Card>
      </form>
      <WorkspacePicture workspace={workspace} />
      <RecordSection title="Sending hours" aside={<SendingHoursButton workspace={workspace} />}>
        <Text p="0 var(--gutter) 16px">
          {hours === null ? 'Messages go out at any time.' : sendingHoursText(hours)}
        </Text>
      </RecordSection>
      <WorkspaceFileSection workspace={workspace} />
      <PersonalDataSection workspaceId={workspace.id} />
      {workspace.role === 'owner' && <DeleteSection workspace={workspace} />}
    </div>
  );
}

function DeleteSection({ workspace }: { workspace: Workspace }) {
  const { state, open, dialog } = useDialogState<true>();
  return (
    <RecordSection
      title="Delete workspace"
      aside={
        <Button variant="default" onClick={() => open(true)}>
          Delete workspace
        </Button>
      }
    >
      <Text p="0 var(--gutter) 16px">
        At once nothing of it is sent any more. For {restorableDays} days an owner can restore it, then its data is
        deleted for good.
      </Text>
      {state.openCount > 0 && <DeleteWorkspaceDialog key={state.openCount} workspace={workspace} {...dialog} />}
    </RecordSection>
  );
}

/** The picture by which members and recipients know the workspace. Admins and owners change it. */
function WorkspacePicture({ workspace }: { workspace: Workspace }) {
  const { mutateAsync, isPending } = useSetWorkspacePicture(workspace.id);
  return (
    <RecordSection title="Picture">
      <PictureField
        name={workspace.name}
        src={pictureUrl(workspace.avatar_url, workspace.id)}
        isRound={false}
        isBusy={isPending}
        note="A PNG, JPEG or WebP; its middle is used. It stands beside the name where workspaces are switched, and at the head of mails where your plan includes white-label."
        onChange={mutateAsync}
      />
    </RecordSection>
  );
}

type DeleteWorkspaceDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Asks for the name of the workspace before it is deleted. */
function DeleteWorkspaceDialog({ workspace, ...dialog }: DeleteWorkspaceDialogProps) {
  const { mutateAsync, isPending } = useDeleteWorkspace(workspace.id);
  const remove = async (typed: string) => {
    await mutateAsync(typed);
    notifySuccess('Workspace deleted', `For ${restorableDays} days you can restore ${workspace.name}.`);
  };
  return (
    <TypeToDeleteDialog
      title={`Delete ${workspace.name}?`}
      expected={workspace.name}
      label="Name of the workspace"
      description={`Type ${workspace.name}`}
      maxLength={100}
      deleteLabel="Delete workspace"
      failure="Error deleting workspace"
      isBusy={isPending}
      onDelete={remove}
      {...dialog}
    >
      At once nothing of it is sent any more, its hooks and API keys stop working, and its members see nothing but this
      notice. For {restorableDays} days an owner can restore it. After that its data is deleted for good.
    </TypeToDeleteDialog>
  );
}
