import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { ErasureInput, erasureLimits } from '#contract/erasures.ts';
import { useErasePerson } from '#web/api/erasures.ts';
import { act } from '#web/ui/act.ts';
import { atFields, fieldErrors } from '#web/ui/field-errors.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

type EraseDialogProps = {
  workspaceId: string;
  /** Of the contact that is shown; empty where they are typed. */
  addresses: readonly string[];
  opened: boolean;
  onClose: () => void;
  onErased?: () => void;
};

/** Erases what is kept about a person, once somebody has said how the person asked for it. */
export default function EraseDialog({ workspaceId, addresses, opened, onClose, onErased }: EraseDialogProps) {
  const erase = useErasePerson(workspaceId);
  const [lines, setLines] = useState(addresses.join('\n'));
  const [askedHow, setAskedHow] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  // What leads away from the page once it has begun loses nothing.
  const isDone = useRef(false);

  const submit = useSubmit(async () => {
    const named = lines.split('\n').map((line) => line.trim());
    const input = { addresses: named.filter((line) => line !== ''), asked_how: askedHow };
    const parsed = ErasureInput.safeParse(input);
    if (!parsed.success) return setErrors(fieldErrors(parsed.error.issues));
    const isBegun = await act(erase.mutateAsync(input), {
      done: () => ['Erasing begun', 'Manage workspace shows under Settings when it is done.'],
      failed: 'Error erasing the person',
      refused: atFields(setErrors),
    });
    if (!isBegun) return;
    isDone.current = true;
    onClose();
    onErased?.();
  });

  return (
    <FormDialog
      title="Erase a person"
      opened={opened}
      width={560}
      isDirty={() => !isDone.current && (askedHow !== '' || lines !== addresses.join('\n'))}
      onClose={onClose}
    >
      {(leave) => (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <Notice>
              <strong>This cannot be undone.</strong> The contact is deleted, with every address, number, name and value
              that this workspace keeps in jobs, events, imports, lists of recipients and webhook logs, and with what
              you wrote to them alone. The ledger keeps when and what came of it, with a hash in place of the address.
              Nothing is sent to them again, even if somebody enters them anew.
            </Notice>
            <Text size="sm">
              The audit log keeps its entries for 400 days, and backups keep what they have until they are deleted. What
              you have written into a reminder, template or group yourself stays, and so does a name in an event or API
              message that went to others, too: Manage workspace → Settings lists where you wrote it.
            </Text>
            <Textarea
              label="Addresses and numbers"
              description="One on each line, all of the same person. Numbers with their country, such as +49 151 23456789."
              required
              autosize
              minRows={2}
              maxRows={6}
              autoComplete="off"
              value={lines}
              error={errors.addresses}
              onChange={({ currentTarget }) => {
                setLines(currentTarget.value);
                setErrors({});
              }}
              data-autofocus={addresses.length === 0 || undefined}
            />
            <TextInput
              label="How they asked for it"
              description="For your records: it stays with the erasure. Do not write their name."
              placeholder="By letter of 1 March"
              required
              maxLength={erasureLimits.askedHow}
              autoComplete="off"
              value={askedHow}
              error={errors.asked_how}
              onChange={({ currentTarget }) => {
                setAskedHow(currentTarget.value);
                setErrors({});
              }}
              data-autofocus={addresses.length > 0 || undefined}
            />
            <FormButtons onCancel={leave} isBusy={erase.isPending} color="red">
              Erase
            </FormButtons>
          </Stack>
        </form>
      )}
    </FormDialog>
  );
}
