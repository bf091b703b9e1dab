import '@mantine/core/styles/Switch.layer.css';
import { ActionIcon, Button, Flex, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash, IconVariable } from '@tabler/icons-react';
import { templateLimits } from '#contract/templates.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { withVariable } from './draft.ts';
import { useTemplateFormContext } from './form-context.ts';
import { showRefusal } from './show-refusal.ts';
import classes from './TemplateForm.module.css';
import { UnlistedVariables } from './UnlistedVariables.tsx';
import { typeOf, variableTypeChoices } from './variable-types.ts';

/** The variables in a list, and the fields to add one. */
export function VariablesTab() {
  const form = useTemplateFormContext();
  const { entry, variables } = form.values;
  const add = () => {
    const added = withVariable(form.getValues(), entry);
    if (added.outcome !== 'added') return form.setFieldError('entry.name', showRefusal(added));
    form.clearFieldError('entry.name');
    form.setValues(added.draft);
  };
  return (
    <Stack gap={16}>
      <div className={classes.entry}>
        <TextInput
          label="New variable"
          placeholder="due_date"
          maxLength={templateLimits.variableName}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter adds the variable and does not submit the form.
            event.preventDefault();
            add();
          }}
          {...form.getInputProps('entry.name')}
        />
        <Select
          label="Its type"
          allowDeselect={false}
          data={variableTypeChoices}
          value={entry.type}
          onChange={(value) => form.setFieldValue('entry.type', typeOf(value))}
        />
        <Button variant="default" mt={24} leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          Add Variable
        </Button>
      </div>
      {form.errors['variables.variables'] && (
        <Text fz="xs" c="var(--mantine-color-error)" role="alert">
          {form.errors['variables.variables']}
        </Text>
      )}
      <UnlistedVariables />
      {variables.variables.length === 0 ? (
        <EmptyState
          icon={IconVariable}
          title="No variables yet"
          sentence="A variable is named in the text as {{due_date}} and filled in when the message is sent."
        />
      ) : (
        <Flex component="ol" direction="column" gap="sm" aria-label="Variables">
          {variables.variables.map((variable, at) => (
            // The key is the index, because the name changes while the user types.
            <VariableFields key={at} at={at} name={variable.name} />
          ))}
        </Flex>
      )}
    </Stack>
  );
}

/** The fields of one variable. */
function VariableFields({ at, name }: { at: number; name: string }) {
  const form = useTemplateFormContext();
  const path = `variables.variables.${at}` as const;
  const type = form.values.variables.variables[at]?.type ?? 'text';
  return (
    <li className={classes.variable} aria-label={name}>
      <TextInput
        label="Name"
        classNames={{ input: 'mono' }}
        maxLength={templateLimits.variableName}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps(`${path}.name`)}
      />
      <Select
        label="Type"
        allowDeselect={false}
        data={variableTypeChoices}
        value={type}
        onChange={(value) => form.setFieldValue(`${path}.type`, typeOf(value))}
      />
      <TextInput
        label="Default value"
        placeholder="None"
        maxLength={templateLimits.value}
        {...form.getInputProps(`${path}.defaultValue`)}
      />
      <TextInput
        className={classes.wide}
        label="Description"
        placeholder="The value to fill in here"
        maxLength={templateLimits.variableDescription}
        {...form.getInputProps(`${path}.description`)}
      />
      <div className={classes.ends}>
        <Switch label="Required" {...form.getInputProps(`${path}.required`, { type: 'checkbox' })} />
        <ActionIcon
          data-hint="Remove"
          variant="default"
          size={30}
          aria-label={`Remove ${name}`}
          onClick={() => form.removeListItem('variables.variables', at)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
    </li>
  );
}
