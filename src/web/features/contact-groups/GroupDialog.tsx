import { ActionIcon, Autocomplete, Box, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { counted } from '#domain/in-words.ts';
import { audienceLimits } from '#contract/audience.ts';
import { type ContactGroup, groupLimits, ruledFields } from '#contract/contact-groups.ts';
import { preferableChannels } from '#contract/contacts.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { ApiError } from '#web/api/client.ts';
import { useContactTags, usePeopleByRule, useSaveGroup } from '#web/api/contact-groups.ts';
import { useContactVariables } from '#web/api/contacts.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { languageChoices, languagesNamed } from '#web/features/contacts/language-choices.ts';
import { zoneChoices } from '#web/features/reminders/form/zones.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { act } from '#web/ui/act.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import prose from '#web/ui/prose.module.css';
import {
  type ConditionDraft,
  draftErrors,
  draftOf,
  type GroupDraft,
  type GroupForm,
  groupOf,
  newCondition,
} from './group-draft.ts';
import classes from './groups.module.css';
import { fieldWords, peopleText, tagTests, valueTests } from './rule-words.ts';

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
    const isSaved = await act(mutateAsync(made.group), {
      done: (saved) => [group ? 'Group updated' : 'Group added', `${saved.name} has been saved.`],
      failed: 'Error saving group',
      refused: (error) => {
        if (error instanceof ApiError && error.fields.length > 0)
          refuse(draftErrors(error.fields.map(({ path, message }) => ({ path: path.split('.'), message }))));
        return false;
      },
    });
    if (isSaved) onDone();
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
    <Text className={prose.breaks} mih="3em" c="dimmed" role="status">
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
          <Box component="strong" fw={560} c="var(--mantine-color-text)">
            {counted(data.people, 'person', 'people')}
          </Box>
          : {peopleText(data.people, data.names)}
        </>
      )}
    </Text>
  );
}

const choicesOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));
const tests = {
  tag: choicesOf(tagTests),
  value: choicesOf(valueTests),
  field: choicesOf({ is: valueTests.is, is_not: valueTests.is_not }),
};

const matches = [
  { value: 'all', label: 'All of these apply' },
  { value: 'any', label: 'One of these applies' },
];

let made = 0;

/** The conditions of a group: each asks for a tag, or for a value of the contact. */
function ConditionRows({ form }: { form: GroupForm }) {
  const { conditions, match } = form.getValues();
  const add = () => {
    made += 1;
    form.insertListItem('conditions', newCondition(`new ${made}`));
  };
  return (
    <fieldset className={prose.fieldset}>
      <Box component="legend" pb={6}>
        Who belongs to it
      </Box>
      {conditions.length > 1 && (
        <Select
          w={240}
          aria-label="How many of the conditions must apply"
          data={matches}
          allowDeselect={false}
          value={match}
          onChange={(value) => form.setFieldValue('match', value === 'any' ? 'any' : 'all')}
        />
      )}
      {conditions.map((condition, index) => (
        <Row key={condition.key} form={form} condition={condition} index={index} />
      ))}
      <SmallButton icon={IconPlus} onClick={add} disabled={conditions.length >= groupLimits.conditions}>
        Add condition
      </SmallButton>
    </fieldset>
  );
}

type RowProps = { form: GroupForm; condition: ConditionDraft; index: number };

function Row({ form, condition: { of, test }, index }: RowProps) {
  const { data: tags = [] } = useContactTags();
  const { data: variables = [] } = useContactVariables();
  const [zones] = useState(() => zoneChoices(new Date(), [viewerZone()]));
  const number = index + 1;
  const path = `conditions.${index}`;
  const fieldOf = (name: string | null) => ruledFields.find((own) => own === name) ?? null;
  const field = fieldOf(of);
  const own = variables.filter((name) => fieldOf(name) === null);
  const names = of === null || field !== null || own.includes(of) ? own : [of, ...own];
  const subjects = [
    { value: 'tag', label: 'Tag' },
    ...ruledFields.map((name) => ({ value: `value:${name}`, label: fieldWords[name] })),
    ...(names.length === 0
      ? []
      : [{ group: 'Values', items: names.map((name) => ({ value: `value:${name}`, label: name })) }]),
  ];
  const choose = (subject: string | null) => {
    const next = subject === null || subject === 'tag' ? null : subject.slice('value:'.length);
    form.setFieldValue(`${path}.of`, next);
    // Each kind has its own tests; a text stays while only the value changes.
    if ((next === null) === (of === null) && field === null && fieldOf(next) === null) return;
    form.setFieldValue(`${path}.test`, next === null ? 'has_tag' : 'is');
    form.setFieldValue(`${path}.text`, '');
  };
  const text = form.getInputProps(`${path}.text`);
  const choices = {
    language: () => languageChoices(null),
    timezone: () => zones,
    preferred_channel: () => preferableChannels.map((value) => ({ value, label: channelLooks[value].name })),
  };
  return (
    <div className={classes.condition}>
      <Select
        aria-label={`Condition ${number}: what`}
        data={subjects}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No contact has this value"
        maxDropdownHeight={240}
        value={of === null ? 'tag' : `value:${of}`}
        onChange={choose}
      />
      <Select
        aria-label={`Condition ${number}: how`}
        data={of === null ? tests.tag : field === null ? tests.value : tests.field}
        allowDeselect={false}
        value={test}
        onChange={(value) => form.setFieldValue(`${path}.test`, value ?? test)}
      />
      {of === null ? (
        <Autocomplete
          className={classes.text}
          aria-label={`Condition ${number}: tag`}
          placeholder="tenant"
          data={tags.map(({ tag }) => tag)}
          maxLength={audienceLimits.tag}
          maxDropdownHeight={240}
          {...text}
        />
      ) : field !== null ? (
        <Select
          className={classes.text}
          aria-label={`Condition ${number}: value`}
          placeholder={`Choose a ${fieldWords[field].toLowerCase()}`}
          data={choices[field]()}
          searchable
          {...(field === 'language' && { filter: languagesNamed })}
          nothingFoundMessage="Nothing found"
          maxDropdownHeight={240}
          {...text}
          value={text.value === '' ? null : text.value}
          onChange={(value) => form.setFieldValue(`${path}.text`, value ?? '')}
        />
      ) : (
        <TextInput
          className={classes.text}
          aria-label={`Condition ${number}: value`}
          placeholder="12 Elm"
          maxLength={groupLimits.value}
          autoComplete="off"
          {...text}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Remove condition ${number}`}
        disabled={form.getValues().conditions.length === 1}
        onClick={() => form.removeListItem('conditions', index)}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
