import { Button } from '@mantine/core';
import classes from './ReminderForm.module.css';

type ChipListHeadProps = { title: string; clearLabel: string; onClear?: () => void };

/** The title of a chip list, with Clear All when it is not empty. */
export function ChipListHead({ title, clearLabel, onClear }: ChipListHeadProps) {
  return (
    <div className={classes.listHead}>
      <span>{title}</span>
      {onClear && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
          {clearLabel}
        </Button>
      )}
    </div>
  );
}
