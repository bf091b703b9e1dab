import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox, Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useContactVariables } from '#web/api/contacts.ts';
import {
  columnOfValue,
  type ContactColumn,
  fieldColumns,
  mostColumns,
  titleOf,
  useContactColumns,
  usualColumns,
  valueIn,
} from './contact-columns.ts';
import classes from './columns.module.css';

/** The button that opens the choice of the list's columns. */
export function ColumnsMenu() {
  const { chosen, choose, showUsual } = useContactColumns();
  const { data: names = [] } = useContactVariables();
  const shown = chosen ?? usualColumns;
  // A value that nobody has any more can still be taken out.
  const values = [...new Set([...names, ...shown.flatMap((column) => valueIn(column) ?? [])])].toSorted();
  const toggle = (column: ContactColumn) =>
    choose(shown.includes(column) ? shown.filter((one) => one !== column) : [...shown, column]);
  const isFull = shown.length >= mostColumns;
  const choiceOf = (column: ContactColumn) => (
    <Checkbox
      key={column}
      label={titleOf(column)}
      checked={shown.includes(column)}
      disabled={isFull && !shown.includes(column)}
      onChange={() => toggle(column)}
    />
  );
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        <fieldset className={classes.choices}>
          <legend>Shown beside the name, {mostColumns} at most</legend>
          {fieldColumns.map(choiceOf)}
        </fieldset>
        {values.length > 0 && (
          <fieldset className={classes.choices}>
            <legend>Own values, a column each</legend>
            {values.map((name) => choiceOf(columnOfValue(name)))}
          </fieldset>
        )}
        <p className={classes.foot}>Kept in this browser. The export has every column.</p>
        {chosen !== null && (
          <Button variant="subtle" size="compact-sm" onClick={showUsual}>
            Show the usual columns
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
