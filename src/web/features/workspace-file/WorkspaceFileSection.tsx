import { Button } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { fetchExport } from '#web/api/workspace-file.ts';
import { messageOf } from '#web/ui/message-of.ts';
import { notifySuccess } from '#web/ui/notify.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { ImportWorkspaceDialog } from './ImportWorkspaceDialog.tsx';
import classes from './workspace-file.module.css';

type State = { at: 'idle' } | { at: 'running'; bytes: number } | { at: 'failed'; message: string };

/** The workspace as a file, and a file of another one into this. */
export function WorkspaceFileSection({ workspace }: { workspace: Workspace }) {
  const [state, setState] = useState<State>({ at: 'idle' });
  const running = useRef<AbortController>(null);
  const dialog = useDialogState();
  useEffect(() => () => running.current?.abort(), []);

  const write = async () => {
    const { signal } = (running.current = new AbortController());
    setState({ at: 'running', bytes: 0 });
    try {
      const onBytes = (bytes: number) => setState({ at: 'running', bytes });
      const { name, file } = await fetchExport({ workspaceId: workspace.id, signal, onBytes });
      save(name, file);
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
        <div className={classes.buttons}>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={state.at === 'running'}
            onClick={() => void write()}
          >
            Export workspace
          </Button>
          <Button
            variant="default"
            leftSection={<IconUpload size={16} aria-hidden />}
            onClick={() => dialog.open(true)}
          >
            Import workspace
          </Button>
        </div>
      }
    >
      <p className={classes.text}>
        One JSON file with the reminders, templates and their versions, contacts, groups, suppressions and settings. It
        has no password, key or address of a hook. What is imported is paused.
      </p>
      {state.at === 'running' && (
        <p className={classes.text} role="status">
          {state.bytes === 0 ? 'Exporting…' : `Exporting: ${sizeOf(state.bytes)} so far`}
        </p>
      )}
      {state.at === 'failed' && (
        <p className={classes.wrong} role="alert">
          Error exporting the workspace: {state.message}
        </p>
      )}
      {dialog.state.openCount > 0 && (
        <ImportWorkspaceDialog
          key={dialog.state.openCount}
          workspaceId={workspace.id}
          opened={dialog.state.isOpen}
          onClose={() => dialog.close(dialog.state.openCount)}
        />
      )}
    </RecordSection>
  );
}

const sizeOf = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function save(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
