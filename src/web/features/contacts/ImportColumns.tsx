import { Input, Select } from '@mantine/core';
import type { ColumnChoice, ImportColumn } from '#contract/contact-imports.ts';
import { fieldChoices, withField } from './import-fields.ts';
import classes from './dialogs.module.css';

type ImportColumnsProps = {
  columns: readonly ImportColumn[];
  problem: string | null;
  onChoose: (columns: ColumnChoice[]) => void;
};

/** What each column of the file becomes, with the first values that it has. */
export function ImportColumns({ columns, problem, onChoose }: ImportColumnsProps) {
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach scrollable content */}
      <div className={classes.choices} tabIndex={0} role="group" aria-label="Columns">
        {columns.map((column, at) => {
          const header = column.header.trim() || `Column ${at + 1}`;
          return (
            // Columns may have the same name, and never move.
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <div key={at} className={classes.choice}>
              <div className={classes.column}>
                <span className={classes.header}>{header}</span>
                <span className={classes.samples}>
                  {column.samples.length === 0 ? 'Empty' : column.samples.join(' · ')}
                </span>
              </div>
              <div>
                <Select
                  aria-label={`${header} becomes`}
                  size="xs"
                  data={fieldChoices}
                  allowDeselect={false}
                  value={column.field}
                  onChange={(field) => field !== null && onChoose(withField(columns, { at, field }))}
                />
                {column.variable !== null && <span className={classes.variable}>{`{{${column.variable}}}`}</span>}
              </div>
            </div>
          );
        })}
      </div>
      {problem !== null && (
        <Input.Error role="alert" mt={8}>
          {problem}
        </Input.Error>
      )}
    </div>
  );
}
