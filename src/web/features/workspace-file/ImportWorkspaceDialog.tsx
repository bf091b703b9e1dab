import { Button, FileButton, Group, Input, Stack } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { type FileImport, WorkspaceFile, workspaceFileLimits } from '#contract/workspace-files.ts';
import { useImportProgress, useImportWorkspace } from '#web/api/workspace-file.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { FileImportView } from './FileImportView.tsx';
import classes from './workspace-file.module.css';

type Chosen = { name: string; file: WorkspaceFile };

type Step =
  | { at: 'source'; name: string | null; problem: string | null }
  | { at: 'preview'; chosen: Chosen; answer: FileImport }
  | { at: 'done'; answer: FileImport };

type ImportWorkspaceDialogProps = { workspaceId: string; opened: boolean; onClose: () => void };

/** Imports the file of a workspace after a preview, which writes nothing. */
export function ImportWorkspaceDialog({ workspaceId, opened, onClose }: ImportWorkspaceDialogProps) {
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
    try {
      const answer = await mutateAsync({ file: step.chosen.file, mode: 'import', takesSettings });
      setStep({ at: 'done', answer });
      notifySuccess('Workspace imported', 'Its reminders are paused.');
    } catch (error) {
      notifyFailure('Error importing the workspace', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title="Import workspace" opened={opened} onClose={onClose} width={760}>
      {step.at === 'source' ? (
        <Stack gap={16}>
          <p className={classes.quiet}>
            The file of an exported workspace, of at most {workspaceFileLimits.kiB / 1_024} MB. You see what it would
            make before anything is written. What is here stays as it is, and the same file again makes nothing twice.
          </p>
          <div className={classes.source}>
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
            {step.name !== null && <span className={classes.file}>{step.name}</span>}
          </div>
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
          <Group className={classes.footer} justify="flex-end" gap={8}>
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
          </Group>
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
