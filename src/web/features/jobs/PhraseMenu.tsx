import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import classes from './PhraseMenu.module.css';

type Choice = { value: string; name: string; phrase: string };
type PhraseMenuProps = {
  /** The name of the filter: `Status`. */
  label: string;
  choices: readonly Choice[];
  value: string;
  onChoose: (value: string) => void;
};

/** A word of the filter sentence that opens a menu. */
export function PhraseMenu({ label, choices, value, onChoose }: PhraseMenuProps) {
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <Menu position="bottom-start" width={200}>
      <Menu.Target>
        <UnstyledButton component="button" className={classes.phrase} aria-label={`${label}: ${chosen?.name}`}>
          {chosen?.phrase}
          <IconChevronDown size={14} stroke={2} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={value} onChange={onChoose}>
          {choices.map((choice) => (
            <Menu.RadioItem key={choice.value} value={choice.value} closeMenuOnClick>
              {choice.name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
