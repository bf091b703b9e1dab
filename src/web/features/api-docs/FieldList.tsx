import { Title } from '@mantine/core';
import classes from './api-docs.module.css';
import type { SchemaField } from './schema-fields.ts';

/** The fields of a part of a request; nothing where it has none. */
export const FieldList = ({ title, fields }: { title: string; fields: SchemaField[] }) =>
  fields.length > 0 && (
    <section>
      <Title order={4}>{title}</Title>
      <dl className={classes.fields}>
        {fields.map(({ name, type, isRequired, notes }) => (
          <div key={name}>
            <dt>
              <code>{name}</code> <span className={classes.type}>{type}</span>
              {isRequired && <span className={classes.required}>required</span>}
            </dt>
            {notes.length > 0 && (
              <dd>
                <Marked text={notes.join(' ')} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );

/** Words in backticks are code. */
const Marked = ({ text }: { text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
