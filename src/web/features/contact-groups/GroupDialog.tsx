import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { type ContactGroup, groupLimits } from '#contract/contact-groups.ts';
import { ApiError } from '#web/api/client.ts';
import { usePeopleByRule, useSaveGroup } from '#web/api/contact-groups.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { ConditionRows } from './ConditionRows.tsx';
import { draftErrors, draftOf, type GroupDraft, type GroupForm, groupOf } from './group-draft.ts';
import classes from './groups.module.css';
import { peopleText } from './rule-words.ts';

type GroupDialogProps = {
  /** The group to edit, or null for a new one. */
  group: ContactGroup | null;
  opened: boolean;
  onClose: () => void;
};

/** Adds or edits a group, and says who belongs to it. */
export default function GroupDialog({ group, opened, onClose }: GroupDialogProps) {
  // The initial values are read once: later server data must not overwrite the user's input.
  const form = useForm<GroupDraft>({ initialValues: draftOf(group) });
  return (
    <FormDialog
      title={group ? 'Edit Group' : 'Add Group'}
      opened={opened}
      width={620}
      isDirty={form.isDirty}
      onClose={onClose}
    >
      {(leave) => <Form form={form} group={group} onCancel={leave} onDone={onClose} />}
    </FormDialog>
  );
}

type FormProps = { form: GroupForm; group: ContactGroup | null; onCancel: () => void; onDone: () => void };

function Form({ form, group, onCancel, onDone }: FormProps) {
  const { mutateAsync, isPending } = useSaveGroup(group?.id);
  const submit = async () => {
    const made = groupOf(form.getValues());
    if ('errors' in made) return refuse(made.errors);
    form.clearErrors();
    try {
      const saved = await mutateAsync(made.group);
      notifySuccess(group ? 'Group updated' : 'Group added', `${saved.name} has been saved.`);
      onDone();
    } catch (error) {
      notifyFailure('Error saving group', error);
      if (!(error instanceof ApiError) || error.fields.length === 0) return;
      refuse(draftErrors(error.fields.map(({ path, message }) => ({ path: path.split('.'), message }))));
    }
  };
  const refuse = (errors: Record<string, string>) => {
    form.setErrors(errors);
    setTimeout(() => document.querySelector<HTMLElement>('[role=dialog] [aria-invalid=true]')?.focus());
  };
  return (
    <DialogForm
      submitLabel={group ? 'Save Group' : 'Add Group'}
      isSaving={isPending}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Stack gap={16} mb={24}>
        <TextInput
          label="Name"
          data-autofocus
          placeholder="Tenants of 12 Elm"
          maxLength={groupLimits.name}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <ConditionRows form={form} />
        <Belonging draft={form.getValues()} />
      </Stack>
    </DialogForm>
  );
}

const typingPauseMs = 300;

/** How many people meet the rule, and the first of them. */
function Belonging({ draft }: { draft: GroupDraft }) {
  const [settled] = useDebouncedValue(draft, typingPauseMs);
  // A blank name is no reason not to count.
  const made = groupOf({ ...settled, name: '?' });
  const rule = 'group' in made ? made.group.rule : null;
  const { data, error } = usePeopleByRule(rule);
  return (
    <p className={classes.belongs} role="status">
      {rule === null ? (
        'Complete the conditions to see who belongs to the group.'
      ) : error !== null ? (
        `The number of people could not be loaded. ${messageOf(error)}`
      ) : data === undefined ? (
        'Counting…'
      ) : data.people === 0 ? (
        'Nobody belongs to it now.'
      ) : (
        <>
          <strong>{data.people === 1 ? '1 person' : `${data.people.toLocaleString('en')} people`}</strong>:{' '}
          {peopleText(data.people, data.names)}
        </>
      )}
    </p>
  );
}
