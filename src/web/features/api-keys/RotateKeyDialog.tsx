import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, NewApiKey } from '#contract/api-keys.ts';
import { useRotateApiKey } from '#web/api/api-keys.ts';
import { act } from '#web/ui/act.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './api-keys.module.css';
import { endAfter, ExpirySelect, type KeyLife } from './ExpirySelect.tsx';
import { NewKey } from './NewKey.tsx';

const overlaps = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'After an hour' },
  { value: '24', label: 'After a day' },
  { value: '168', label: 'After a week' },
];

type RotateKeyDialogProps = { workspaceId: string; apiKey: ApiKey; opened: boolean; onClose: () => void };

/** Replaces a key: shows the new one, and ends the old one after the chosen time. */
export function RotateKeyDialog({ workspaceId, apiKey, opened, onClose }: RotateKeyDialogProps) {
  const { mutateAsync, isPending } = useRotateApiKey(workspaceId);
  const [overlap, setOverlap] = useState('24');
  const [life, setLife] = useState<KeyLife>('365');
  const [made, setMade] = useState<NewApiKey | null>(null);

  const submit = useSubmit(async () => {
    await act(
      mutateAsync({ id: apiKey.id, overlap_hours: Number(overlap), expires_at: endAfter(life) }).then(setMade),
      { failed: 'Error rotating API key' },
    );
  });

  return (
    <Dialog
      title={made ? 'Save the new API key' : `Rotate ${apiKey.name}`}
      opened={opened}
      onClose={onClose}
      mustAnswer={made !== null}
    >
      {made ? (
        <NewKey made={made} onDone={onClose} />
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <p className={classes.text}>
              You get a new key that may do the same. The one in use, which begins with {apiKey.prefix}, goes on working
              for the time that you choose, so that you can put the new one in its place.
            </p>
            <Select
              label="The key in use ends"
              data={overlaps}
              allowDeselect={false}
              value={overlap}
              onChange={(value) => setOverlap(value ?? '24')}
              data-autofocus
            />
            <ExpirySelect label="The new key expires after" value={life} onChange={setLife} />
            <FormButtons onCancel={onClose} isBusy={isPending}>
              Rotate key
            </FormButtons>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
