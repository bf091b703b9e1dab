import { ActionIcon, Autocomplete, Button, Select, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { audienceLimits } from '#contract/audience.ts';
import { groupLimits } from '#contract/contact-groups.ts';
import { useContactTags } from '#web/api/contact-groups.ts';
import { useContactVariables } from '#web/api/contacts.ts';
import { type ConditionDraft, type GroupForm, newCondition } from './group-draft.ts';
import classes from './groups.module.css';
import { tagTests, valueTests } from './rule-words.ts';

const choicesOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));
const tests = { tag: choicesOf(tagTests), value: choicesOf(valueTests) };

const matches = [
  { value: 'all', label: 'All of these apply' },
  { value: 'any', label: 'One of these applies' },
];

let made = 0;

/** The conditions of a group: each asks for a tag, or for a value of the contact. */
export function ConditionRows({ form }: { form: GroupForm }) {
  const { conditions, match } = form.getValues();
  const add = () => {
    made += 1;
    form.insertListItem('conditions', newCondition(`new ${made}`));
  };
  return (
    <fieldset className={classes.conditions}>
      <legend>Who belongs to it</legend>
      {conditions.length > 1 && (
        <Select
          className={classes.match}
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
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={add}
        disabled={conditions.length >= groupLimits.conditions}
      >
        Add condition
      </Button>
    </fieldset>
  );
}

type RowProps = { form: GroupForm; condition: ConditionDraft; index: number };

function Row({ form, condition: { of, test }, index }: RowProps) {
  const { data: tags = [] } = useContactTags();
  const { data: variables = [] } = useContactVariables();
  const number = index + 1;
  const field = `conditions.${index}`;
  const names = of === null || variables.includes(of) ? variables : [of, ...variables];
  const subjects = [
    { value: 'tag', label: 'Tag' },
    ...(names.length === 0
      ? []
      : [{ group: 'Values', items: names.map((name) => ({ value: `value:${name}`, label: name })) }]),
  ];
  const choose = (subject: string | null) => {
    const next = subject === null || subject === 'tag' ? null : subject.slice('value:'.length);
    form.setFieldValue(`${field}.of`, next);
    // Each kind has its own tests; a text stays while only the value changes.
    if ((next === null) === (of === null)) return;
    form.setFieldValue(`${field}.test`, next === null ? 'has_tag' : 'is');
    form.setFieldValue(`${field}.text`, '');
  };
  const text = form.getInputProps(`${field}.text`);
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
        data={of === null ? tests.tag : tests.value}
        allowDeselect={false}
        value={test}
        onChange={(value) => form.setFieldValue(`${field}.test`, value ?? test)}
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
