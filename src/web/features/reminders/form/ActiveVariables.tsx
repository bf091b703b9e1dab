import { ChipList } from '#web/features/reminders/ChipList.tsx';
import { ChipListHead } from './ChipListHead.tsx';
import { useReminderFormContext } from './form-context.ts';
import classes from './ReminderForm.module.css';
import { valuesWithout } from './variable-values.ts';

/** The variables of this reminder: a click inserts one; removing one also removes its value. */
export function ActiveVariables({ onPick }: { onPick: (variable: string) => void }) {
  const form = useReminderFormContext();
  const { content } = form.values;
  const { variables } = content;
  const keep = (left: string[]) => {
    form.setFieldValue('content.variables', left);
    form.setFieldValue('content.values', valuesWithout(variables, { ...content, variables: left }));
  };
  if (variables.length === 0) return null;
  return (
    <div className={classes.list}>
      <ChipListHead title="Active variables" clearLabel="Clear All" onClear={() => keep([])} />
      <ChipList
        label="Active variables"
        chips={variables}
        onPick={onPick}
        onRemove={(index) => keep(variables.filter((_, at) => at !== index))}
      />
    </div>
  );
}
