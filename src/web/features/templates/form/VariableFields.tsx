import { ActionIcon, Select, Switch, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { templateLimits } from '#contract/templates.ts';
import { useTemplateFormContext } from './form-context.ts';
import classes from './TemplateForm.module.css';
import { typeOf, variableTypeChoices } from './variable-types.ts';

/** The fields of one variable. */
export function VariableFields({ at, name }: { at: number; name: string }) {
  const form = useTemplateFormContext();
  const path = `variables.variables.${at}` as const;
  const type = form.values.variables.variables[at]?.type ?? 'text';
  return (
    <li className={classes.variable} aria-label={name}>
      <TextInput
        label="Name"
        classNames={{ input: classes.mono ?? '' }}
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
