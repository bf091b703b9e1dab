import { SimpleGrid, TextInput, Title } from '@mantine/core';
import { useContactVariables } from '#web/api/contacts.ts';
import { useReminderFormContext } from './form-context.ts';
import classes from './ReminderForm.module.css';
import { spellingIn, withoutNames } from './variable-names.ts';
import { needingValue } from './variable-values.ts';

/** A field for each variable that messages do not fill in themselves. */
export function VariableValues() {
  const form = useReminderFormContext();
  const { content } = form.values;
  const { values } = content;
  const { data: own = [] } = useContactVariables();
  const names = needingValue(content);
  if (names.length === 0) return null;
  const isEvent = form.values.schedule_config.type === 'event-based';
  // The server names a variable as the text does.
  const errorPath = (name: string) => spellingIn(form.errors, `content.values.${name}`);
  return (
    <section className={classes.values} aria-labelledby="variable-values">
      <Title order={2} size="h4" id="variable-values">
        Values
      </Title>
      <p className={classes.note}>
        {isEvent
          ? 'They override the values of the event and of the contact.'
          : 'Leave a value blank to use the one of each contact. A message with a missing value is not sent.'}
      </p>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing={16}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={name}
            placeholder={withoutNames([name], own).length === 0 ? 'From each contact' : undefined}
            error={form.errors[errorPath(name)]}
            value={values[spellingIn(values, name)] ?? ''}
            onChange={(event) => {
              form.clearFieldError(errorPath(name));
              form.setFieldValue('content.values', {
                ...values,
                [spellingIn(values, name)]: event.currentTarget.value,
              });
            }}
          />
        ))}
      </SimpleGrid>
    </section>
  );
}
