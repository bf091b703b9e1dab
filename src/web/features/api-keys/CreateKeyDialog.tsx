import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiKeyInput, type NewApiKey } from '#contract/api-keys.ts';
import { type Scope, scopes } from '#contract/scopes.ts';
import { useCreateApiKey } from '#web/api/api-keys.ts';
import { act } from '#web/ui/act.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { endAfter, ExpirySelect, type KeyLife } from './ExpirySelect.tsx';
import { scopeWords } from './key-words.ts';
import { NewKey } from './NewKey.tsx';

type CreateKeyDialogProps = { workspaceId: string; opened: boolean; onClose: () => void };
type Problems = { name?: string; scopes?: string };

/** Asks for a name, what the key may do and when it ends; then shows the key. */
export function CreateKeyDialog({ workspaceId, opened, onClose }: CreateKeyDialogProps) {
  const { mutateAsync, isPending } = useCreateApiKey(workspaceId);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>(['send']);
  const [life, setLife] = useState<KeyLife>('365');
  const [problems, setProblems] = useState<Problems>({});
  const [made, setMade] = useState<NewApiKey | null>(null);

  const submit = useSubmit(async () => {
    const asked = { name, scopes: scopes.filter((scope) => chosen.includes(scope)), expires_at: endAfter(life) };
    const parsed = ApiKeyInput.safeParse(asked);
    if (!parsed.success) {
      const found = parsed.error.issues.map(({ path, message }) => [path[0], message]);
      return setProblems(Object.fromEntries(found));
    }
    await act(mutateAsync(asked).then(setMade), { failed: 'Error creating API key' });
  });

  return (
    <Dialog
      title={made ? 'Save the API key' : 'Create an API key'}
      opened={opened}
      onClose={onClose}
      mustAnswer={made !== null}
    >
      {made ? (
        <NewKey made={made} onDone={onClose} />
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <TextInput
              label="Name"
              description="The program that will use it."
              placeholder="Booking system"
              maxLength={100}
              value={name}
              error={problems.name}
              onChange={(event) => {
                setName(event.currentTarget.value);
                setProblems(({ scopes: others }) => (others === undefined ? {} : { scopes: others }));
              }}
              data-autofocus
            />
            <Checkbox.Group
              label="It may"
              value={chosen}
              error={problems.scopes}
              onChange={(value) => {
                setChosen(value);
                setProblems(({ name: others }) => (others === undefined ? {} : { name: others }));
              }}
            >
              <Stack gap={10} mt={6}>
                {scopes.map((scope: Scope) => (
                  <Checkbox
                    key={scope}
                    value={scope}
                    label={scopeWords[scope].name}
                    description={scopeWords[scope].text}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            <ExpirySelect value={life} onChange={setLife} />
            <FormButtons onCancel={onClose} isBusy={isPending}>
              Create key
            </FormButtons>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
