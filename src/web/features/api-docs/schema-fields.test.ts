import { expect, it } from 'vitest';
import { z } from 'zod';
import { fieldsOf } from './schema-fields.ts';

const rows = (shape: z.ZodType) =>
  fieldsOf(z.toJSONSchema(shape, { io: 'input' })).map(({ name, type, isRequired, notes }) =>
    [name, type, ...(isRequired ? ['required'] : []), ...notes].join(' | '),
  );

it('lists the fields of objects in objects and lists, with what they take', () => {
  const shape = z.strictObject({
    name: z.string().max(100).meta({ description: 'What people see' }),
    kind: z.enum(['mail', 'sms']).default('mail'),
    people: z.array(z.strictObject({ id: z.uuid(), age: z.number().int().min(1) })).max(10),
    note: z.union([z.string(), z.number()]).nullable().optional(),
  });
  expect(rows(shape)).toEqual([
    'name | text | required | What people see. | At most 100 characters.',
    'kind | one of | mail, sms. | "mail" unless given.',
    'people | list of object | required | At most 10.',
    'people[].id | id | required',
    'people[].age | whole number | required | At least 1.',
    'note | text or number or null',
  ]);
});

it('joins the fields of several shapes, and requires what all of them require', () => {
  const shape = z.strictObject({
    schedule: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('once'), at: z.string() }),
      z.strictObject({ type: z.literal('cron'), expression: z.string() }),
    ]),
  });
  expect(rows(shape)).toEqual([
    'schedule | object | required',
    'schedule.type | "once" or "cron" | required',
    'schedule.at | text',
    'schedule.expression | text',
  ]);
});

it('ends with a shape that contains itself', () => {
  const shape = z.object({
    get inner() {
      return shape.optional();
    },
  });
  expect(rows(shape)).toHaveLength(1);
});
