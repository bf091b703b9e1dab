import { Stack, TextInput } from '@mantine/core';
import { IconVariable } from '@tabler/icons-react';
import { type Template, templateLimits } from '#contract/templates.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import classes from './PreviewDialog.module.css';

type ValuesTabProps = {
  template: Template;
  names: readonly string[];
  values: Readonly<Record<string, string>>;
  onChange: (name: string, value: string) => void;
};

/** A field for the sample value of each variable. */
export function ValuesTab({ template, names, values, onChange }: ValuesTabProps) {
  if (names.length === 0)
    return <EmptyState icon={IconVariable} title="No variables" sentence="This text is the same in every message." />;
  return (
    <Stack gap={12}>
      {names.map((name) => {
        const variable = template.variables.variables.find((listed) => listed.name === name);
        return (
          <TextInput
            key={name}
            label={name}
            classNames={{ label: classes.label ?? '' }}
            description={variable?.description || undefined}
            type={variable?.type === 'email' ? 'email' : 'text'}
            inputMode={variable?.type === 'number' ? 'decimal' : undefined}
            autoComplete="off"
            maxLength={templateLimits.value}
            value={values[name] ?? ''}
            onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
          />
        );
      })}
    </Stack>
  );
}
