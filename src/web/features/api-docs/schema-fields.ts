import { z } from 'zod';

const Schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});
type Schema = z.output<typeof Schema>;

const none: Schema = {};
const schemaOf = (value: unknown): Schema => Schema.safeParse(value).data ?? none;
const variantsOf = ({ anyOf, oneOf }: Schema): Schema[] => (anyOf ?? oneOf ?? []).map(schemaOf);

/** A field of a request: `recipients[].name`, what it takes, and what is said of it. */
export type SchemaField = { name: string; type: string; isRequired: boolean; notes: string[] };

const mostFields = 200;
const deepest = 4;
const mostWords = 20;

/** The fields of an object, with those of the objects in it, as rows for readers. */
export const fieldsOf = (schema: unknown): SchemaField[] =>
  membersOf(schemaOf(schema), { prefix: '', depth: 0 }).slice(0, mostFields);

/** What is said of one value. */
export const fieldOf = (name: string, schema: unknown, isRequired: boolean): SchemaField => {
  const of = schemaOf(schema);
  return { name, type: typeOf(of), isRequired, notes: notesOf(of) };
};

type Position = { prefix: string; depth: number };

function membersOf(schema: Schema, { prefix, depth }: Position): SchemaField[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, value]) => [
    fieldOf(`${prefix}${name}`, value, schema.required?.includes(name) === true),
    ...below(schemaOf(value), { prefix: `${prefix}${name}`, depth: depth + 1 }),
  ]);
  const variants = variantsOf(schema).map((variant) => membersOf(variant, { prefix, depth }));
  return [...own, ...merged(variants)];
}

function below(schema: Schema, { prefix, depth }: Position): SchemaField[] {
  if (depth >= deepest) return [];
  if (schema.items !== undefined) return below(schemaOf(schema.items), { prefix: `${prefix}[]`, depth });
  return membersOf(schema, { prefix: `${prefix}.`, depth });
}

/** The fields of several shapes: one is required where each shape requires it. */
function merged(variants: SchemaField[][]): SchemaField[] {
  const fields = new Map<string, SchemaField>();
  for (const field of variants.flat()) {
    const known = fields.get(field.name);
    const types = new Set([...(known?.type.split(' or ') ?? []), field.type]);
    fields.set(field.name, { ...field, type: [...types].join(' or '), isRequired: true });
  }
  const isEverywhere = (name: string) =>
    variants.every((variant) => variant.some((field) => field.name === name && field.isRequired));
  return [...fields.values()].map((field) => ({ ...field, isRequired: isEverywhere(field.name) }));
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return 'one of';
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schemaOf(schema.items))}`;
  if (schema.format !== undefined && schema.format in formats) return formats[schema.format] ?? 'text';
  return [schema.type ?? 'any']
    .flat()
    .map((name) => names[name] ?? name)
    .join(' or ');
}

const names: Record<string, string> = { string: 'text', integer: 'whole number' };
const formats: Record<string, string> = { uuid: 'id', 'date-time': 'time', date: 'date', uri: 'URL' };

function notesOf(schema: Schema): string[] {
  const { enum: words = [], minimum, maximum, maxLength, maxItems, description } = schema;
  const isGiven = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  return [
    ...(description === undefined ? [] : [`${description}.`]),
    ...(words.length === 0 ? [] : [`${words.slice(0, mostWords).join(', ')}${words.length > mostWords ? ', …' : ''}.`]),
    ...(isGiven(minimum) ? [`At least ${minimum?.toLocaleString('en')}.`] : []),
    ...(isGiven(maximum) ? [`At most ${maximum?.toLocaleString('en')}.`] : []),
    ...(isGiven(maxLength) ? [`At most ${maxLength?.toLocaleString('en')} characters.`] : []),
    ...(isGiven(maxItems) ? [`At most ${maxItems?.toLocaleString('en')}.`] : []),
    ...(isPlain(schema.default) ? [`${JSON.stringify(schema.default)} unless given.`] : []),
  ];
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
