import { Button, FileButton, Group, Input, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileText, IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { type FileImport, WorkspaceFile, workspaceFileLimits } from '#contract/workspace-files.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { fetchExport, useImportProgress, useImportWorkspace } from '#web/api/workspace-file.ts';
import { act } from '#web/ui/act.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { DialogFooter } from '#web/ui/DialogForm.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { notifySuccess } from '#web/ui/notify.tsx';
import prose from '#web/ui/prose.module.css';
import { RecordSection } from '#web/ui/Record.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { FileImportView } from './FileImportView.tsx';

type State = { at: 'idle' } | { at: 'running'; bytes: number } | { at: 'failed'; message: string };

/** The workspace as a file, and a file of another one into this. */
export function WorkspaceFileSection({ workspace }: { workspace: Workspace }) {
  const [state, setState] = useState<State>({ at: 'idle' });
  const running = useRef<AbortController>(null);
  const {
    state: { openCount },
    dialog,
    open,
  } = useDialogState();
  useEffect(() => () => running.current?.abort(), []);

  const write = async () => {
    const { signal } = (running.current = new AbortController());
    setState({ at: 'running', bytes: 0 });
    try {
      const onBytes = (bytes: number) => setState({ at: 'running', bytes });
      const { name, file } = await fetchExport({ workspaceId: workspace.id, signal, onBytes });
      saveFile(name, file);
      setState({ at: 'idle' });
      notifySuccess('Workspace exported', name);
    } catch (error) {
      if (!signal.aborted) setState({ at: 'failed', message: messageOf(error) });
    }
  };
  return (
    <RecordSection
      title="Export and import"
      aside={
        <div className={prose.buttons}>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={state.at === 'running'}
            onClick={() => void write()}
          >
            Export workspace
          </Button>
          <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => open(true)}>
            Import workspace
          </Button>
        </div>
      }
    >
      <Text pb="md" px="var(--gutter)">
        One JSON file with the reminders, templates and their versions, contacts, groups, suppressions and settings. It
        has no password, key or address of a hook. What is imported is paused.
      </Text>
      {state.at === 'running' && (
        <Text pb="md" px="var(--gutter)" role="status">
          {state.bytes === 0 ? 'Exporting…' : `Exporting: ${sizeOf(state.bytes)} so far`}
        </Text>
      )}
      {state.at === 'failed' && (
        <Text pb="md" px="var(--gutter)" c="var(--status-bad)" role="alert">
          Error exporting the workspace: {state.message}
        </Text>
      )}
      {openCount > 0 && <ImportWorkspaceDialog key={openCount} workspaceId={workspace.id} {...dialog} />}
    </RecordSection>
  );
}

const sizeOf = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

type Chosen = { name: string; file: WorkspaceFile };

type Step =
  | { at: 'source'; name: string | null; problem: string | null }
  | { at: 'preview'; chosen: Chosen; answer: FileImport }
  | { at: 'done'; answer: FileImport };

type ImportWorkspaceDialogProps = { workspaceId: string; opened: boolean; onClose: () => void };

/** Imports the file of a workspace after a preview, which writes nothing. */
function ImportWorkspaceDialog({ workspaceId, opened, onClose }: ImportWorkspaceDialogProps) {
  const [step, setStep] = useState<Step>({ at: 'source', name: null, problem: null });
  const [takesSettings, setTakesSettings] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { mutateAsync } = useImportWorkspace(workspaceId);
  const isWriting = isBusy && step.at === 'preview';
  const { data: progress } = useImportProgress(workspaceId, { isWatched: opened && isWriting });
  const resetFile = useRef<() => void>(null);

  const take = async (given: File | null) => {
    if (given === null) return;
    // The reset allows choosing the same file again after a correction.
    resetFile.current?.();
    const { name } = given;
    const read = await fileIn(given);
    if ('problem' in read) return setStep({ at: 'source', name, problem: read.problem });
    setBusy(true);
    try {
      const answer = await mutateAsync({ file: read.file, mode: 'preview', takesSettings: false });
      setStep({ at: 'preview', chosen: { name, file: read.file }, answer });
    } catch (error) {
      setStep({ at: 'source', name, problem: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const write = async () => {
    if (step.at !== 'preview') return;
    setBusy(true);
    const imported = mutateAsync({ file: step.chosen.file, mode: 'import', takesSettings });
    await act(
      imported.then((answer) => setStep({ at: 'done', answer })),
      { done: ['Workspace imported', 'Its reminders are paused.'], failed: 'Error importing the workspace' },
    );
    setBusy(false);
  };
  return (
    <Dialog title="Import workspace" opened={opened} onClose={onClose} width={760}>
      {step.at === 'source' ? (
        <Stack gap={16}>
          <p className={prose.dimParagraph}>
            The file of an exported workspace, of at most {workspaceFileLimits.kiB / 1_024} MB. You see what it would
            make before anything is written. What is here stays as it is, and the same file again makes nothing twice.
          </p>
          <Group gap="8px 12px">
            <FileButton onChange={(file) => void take(file)} accept=".json,application/json" resetRef={resetFile}>
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  loading={isBusy}
                  leftSection={<IconFileText size={16} aria-hidden />}
                  data-autofocus
                >
                  Choose a file
                </Button>
              )}
            </FileButton>
            {step.name !== null && <span className={prose.breaks}>{step.name}</span>}
          </Group>
          {step.problem !== null && <Input.Error role="alert">{step.problem}</Input.Error>}
        </Stack>
      ) : (
        <Stack gap={16}>
          <FileImportView
            answer={step.answer}
            takesSettings={takesSettings}
            onTakeSettings={step.at === 'preview' ? setTakesSettings : null}
            progress={isWriting ? (progress ?? null) : null}
          />
          <DialogFooter mt={8}>
            {step.at === 'done' ? (
              <Button onClick={onClose} data-autofocus>
                Done
              </Button>
            ) : (
              <>
                <Button
                  variant="default"
                  disabled={isBusy}
                  onClick={() => setStep({ at: 'source', name: null, problem: null })}
                >
                  Back
                </Button>
                <Button
                  loading={isBusy}
                  disabled={makesNothing(step.answer, takesSettings)}
                  onClick={() => void write()}
                >
                  {makesNothing(step.answer, takesSettings) ? 'Nothing to import' : 'Import'}
                </Button>
              </>
            )}
          </DialogFooter>
        </Stack>
      )}
    </Dialog>
  );
}

const makesNothing = ({ counts }: FileImport, takesSettings: boolean) =>
  !takesSettings && Object.values(counts).every(({ created }) => created === 0);

async function fileIn(given: File): Promise<{ file: WorkspaceFile } | { problem: string }> {
  const megabytes = workspaceFileLimits.kiB / 1_024;
  if (given.size > workspaceFileLimits.kiB * 1_024) return { problem: `${given.name} is larger than ${megabytes} MB` };
  let content: unknown;
  try {
    content = JSON.parse(await given.text());
  } catch {
    return { problem: `${given.name} is not a JSON file` };
  }
  const { data, error } = WorkspaceFile.safeParse(content);
  if (data !== undefined) return { file: data };
  const [issue] = error.issues;
  return {
    problem: `${given.name} cannot be read: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(' ')}`,
  };
}
