import { SimpleGrid, TextInput, Title } from '@mantine/core';
import { useReminderFormContext } from './form-context.ts';
import classes from './ReminderForm.module.css';
import { needingValue } from './variable-values.ts';

/** A field for each variable that messages do not fill in themselves. */
export function VariableValues() {
  const form = useReminderFormContext();
  const { variables, values } = form.values.content;
  const names = needingValue(variables);
  if (names.length === 0) return null;
  const isEvent = form.values.schedule_config.type === 'event-based';
  return (
    <section aria-labelledby="variable-values">
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
            error={form.errors[`content.values.${name}`]}
            value={values[name] ?? ''}
            onChange={(event) => {
              form.clearFieldError(`content.values.${name}`);
              form.setFieldValue('content.values', { ...values, [name]: event.currentTarget.value });
            }}
          />
        ))}
      </SimpleGrid>
    </section>
  );
}
