import { Button, Group, Input } from '@mantine/core';
import { useId } from 'react';
import { knownVariables } from './known-variables.ts';

type InsertButtonsProps = { names: readonly string[]; onPick: (text: string) => void };

/** One button per variable: the template's own first, then the built-in ones. */
export function InsertButtons({ names, onPick }: InsertButtonsProps) {
  const id = useId();
  const offered = [...names, ...knownVariables.filter((name) => !names.includes(name))];
  return (
    <div role="group" aria-labelledby={id}>
      <Input.Label id={id} component="div" mb={4}>
        Insert a variable
      </Input.Label>
      <Group gap={6}>
        {offered.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant={names.includes(name) ? 'light' : 'default'}
            fw={450}
            maw="100%"
            onClick={() => onPick(`{{${name}}}`)}
          >
            {name}
          </Button>
        ))}
      </Group>
    </div>
  );
}
