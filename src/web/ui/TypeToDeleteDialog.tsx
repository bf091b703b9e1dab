import { Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormButtons } from './FormButtons.tsx';
import { Dialog } from './Dialog.tsx';
import { act } from './act.ts';
import { useSubmit } from './use-submit.ts';

type TypeToDeleteDialogProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** What has to be typed, such as the name of what is deleted. */
  expected: string;
  /** Compares what was typed; by default it has to be the same to the letter. */
  isExpected?: (typed: string) => boolean;
  label: string;
  description?: string;
  maxLength: number;
  /** The label of the button that deletes. */
  deleteLabel: string;
  /** The title of the toast when it fails. */
  failure: string;
  isBusy: boolean;
  onDelete: (typed: string) => Promise<void>;
  /** What is lost. */
  children: ReactNode;
};

/** Deletes only once a name was typed, so that nobody deletes by a slip. */
export function TypeToDeleteDialog({
  title,
  opened,
  onClose,
  expected,
  isExpected = (typed) => typed === expected,
  deleteLabel,
  failure,
  isBusy,
  onDelete,
  children,
  ...field
}: TypeToDeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  const submit = useSubmit(async () => {
    if (!isExpected(typed.trim())) return setProblem(`Type ${expected}`);
    await act(onDelete(typed), { failed: failure });
  });

  return (
    <Dialog title={title} opened={opened} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack gap={16}>
          <span>{children}</span>
          <TextInput
            {...field}
            autoComplete="off"
            value={typed}
            error={problem}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setProblem(null);
            }}
            data-autofocus
          />
          <FormButtons onCancel={onClose} color="red" isBusy={isBusy}>
            {deleteLabel}
          </FormButtons>
        </Stack>
      </form>
    </Dialog>
  );
}
