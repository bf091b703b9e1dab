import { Button, Group, Input } from '@mantine/core';
import { useId, useState } from 'react';
import { quickVariables } from '#contract/reminders.ts';
import { useContactVariables } from '#web/api/contacts.ts';
import { withoutNames } from './variable-names.ts';

const shownAtFirst = 12;

/** One button per common variable, and below them one per value that contacts have. */
export function QuickVariables({ onPick }: { onPick: (variable: string) => void }) {
  const { data: own = [] } = useContactVariables();
  const [isWhole, showAll] = useState(false);
  const others = withoutNames(own, quickVariables);
  const shown = isWhole ? others : others.slice(0, shownAtFirst);
  const hidden = others.length - shown.length;
  return (
    <>
      <Chips label="Quick variables" names={quickVariables} onPick={onPick} />
      {others.length > 0 && (
        <Chips label="Values of contacts" names={shown} onPick={onPick}>
          {hidden > 0 && (
            <Button size="compact-sm" variant="subtle" fw={450} onClick={() => showAll(true)}>
              {hidden} more
            </Button>
          )}
        </Chips>
      )}
    </>
  );
}

type ChipsProps = {
  label: string;
  names: readonly string[];
  onPick: (variable: string) => void;
  children?: React.ReactNode;
};

function Chips({ label, names, onPick, children }: ChipsProps) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <Input.Label id={id} component="div" mb={4}>
        {label}
      </Input.Label>
      <Group gap={6}>
        {names.map((variable) => (
          <Button key={variable} size="compact-sm" variant="default" fw={450} onClick={() => onPick(variable)}>
            {variable}
          </Button>
        ))}
        {children}
      </Group>
    </div>
  );
}
