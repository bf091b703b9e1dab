import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './ChipList.module.css';

type ChipListProps = {
  /** The list's name for screen readers. */
  label: string;
  chips: readonly string[];
  onRemove: (index: number) => void;
  /** Makes the chip's text a button. */
  onPick?: (chip: string) => void;
};

// A reminder can have ten thousand recipients; rendering as many chips would delay every keystroke.
const shownAtOnce = 200;

/** Removable chips; scrolls beyond 10 rem. */
export function ChipList({ label, chips, onRemove, onPick }: ChipListProps) {
  const [shown, setShown] = useState(shownAtOnce);
  if (chips.length === 0) return null;
  const hidden = chips.length - shown;
  return (
    <ul className={classes.chips} aria-label={label}>
      {chips.slice(0, shown).map((chip, index) => (
        <li key={`${index} ${chip}`} className={classes.chip}>
          {onPick ? (
            <button type="button" className={classes.word} onClick={() => onPick(chip)} title={`Insert {{${chip}}}`}>
              {chip}
            </button>
          ) : (
            <span className={classes.word} title={chip}>
              {chip}
            </span>
          )}
          <button
            type="button"
            className={classes.remove}
            aria-label={`Remove ${chip}`}
            onClick={() => onRemove(index)}
          >
            <IconX size={12} aria-hidden />
          </button>
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <Button size="compact-xs" variant="subtle" onClick={() => setShown(shown + shownAtOnce)}>
            {hidden.toLocaleString('en')} more
          </Button>
        </li>
      )}
    </ul>
  );
}
