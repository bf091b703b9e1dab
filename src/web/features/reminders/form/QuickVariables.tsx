import { Button, Group, Input } from '@mantine/core';
import { useId } from 'react';
import { quickVariables } from '#contract/reminders.ts';

/** One button per common variable. */
export function QuickVariables({ onPick }: { onPick: (variable: string) => void }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <Input.Label id={id} component="div" mb={4}>
        Quick variables
      </Input.Label>
      <Group gap={6}>
        {quickVariables.map((variable) => (
          <Button key={variable} size="compact-sm" variant="default" fw={450} onClick={() => onPick(variable)}>
            {variable}
          </Button>
        ))}
      </Group>
    </div>
  );
}
