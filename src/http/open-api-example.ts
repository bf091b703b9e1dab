import { z } from 'zod';

/** The part of JSON Schema that the contract's shapes use. */
const Schema = z.looseObject({
  // With several types, the first counts.
  type: z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
});
type Schema = z.output<typeof Schema>;

const byFormat: Record<string, string> = {
  uuid: '01a208b0-29d5-791c-aabb-ef1e4d4aa4f0',
  'date-time': '2026-12-01T09:00:00.000Z',
  date: '2026-12-01',
};

const byName: Record<string, string> = {
  name: 'Rent',
  subject: 'Rent of {{amount}}',
  body: 'Dear {{recipient_name}}, {{amount}} is due.',
  message: 'Dear {{recipient_name}}, {{amount}} is due.',
  email: 'dana@example.com',
  recipient: 'dana@example.com',
  recipients: 'dana@example.com',
  phone: '+49301234567',
  from: '08:00',
  to: '20:00',
  timezone: 'Europe/Berlin',
  time_zone: 'Europe/Berlin',
  tag: 'tenant',
  tags: 'tenant',
  url: 'https://example.com/hook',
  endpoint: 'https://push.example.com/1',
  picture: 'data:image/png;base64,iVBORw0KGgo=',
  secret: 'a shared secret of ours',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

/**
 * A value that a JSON schema describes, with the members that are required, for readers of the document.
 * @param name the member whose value it is
 */
export function exampleOf(schema: unknown, name = ''): unknown {
  const parsed = Schema.safeParse(schema);
  const of: Schema = parsed.success ? parsed.data : {};
  if (of.const !== undefined) return of.const;
  if (of.enum !== undefined) return of.enum[0];
  const [choice] = of.anyOf ?? of.oneOf ?? of.allOf ?? [];
  if (choice !== undefined) return exampleOf(choice, name);
  switch (of.type ?? 'string') {
    case 'object':
      return Object.fromEntries(
        (of.required ?? []).map((member) => [
          member,
          exampleOf(of.properties?.[member] ?? of.additionalProperties, member),
        ]),
      );
    case 'array':
      return [exampleOf(of.items, name)];
    case 'integer':
    case 'number':
      return leastOf(of);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      // The schema has no type where the shape converts its input.
      return byFormat[of.format ?? ''] ?? byName[name] ?? name.replaceAll('_', ' ');
  }
}

/** The least number of a range; 1 where it has no beginning, which JSON Schema writes as the least safe integer. */
function leastOf({ minimum = Number.MIN_SAFE_INTEGER, exclusiveMinimum }: Schema): number {
  if (exclusiveMinimum !== undefined) return exclusiveMinimum + 1;
  return minimum === Number.MIN_SAFE_INTEGER ? 1 : minimum;
}
