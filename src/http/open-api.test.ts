import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '#contract/route.ts';
import { type RouteName, routes } from '#contract/routes.ts';
import { createOpenApiAnswer } from '#http/open-api.ts';

const Content = z.record(z.string(), z.looseObject({ schema: z.looseObject({}), example: z.unknown().optional() }));
const Parameter = z.looseObject({ name: z.string(), schema: z.looseObject({}), example: z.unknown().optional() });
const Document = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        parameters: z.array(Parameter),
        requestBody: z.looseObject({ content: Content }).optional(),
        responses: z.record(z.string(), z.looseObject({ description: z.string(), content: Content.optional() })),
      }),
    ),
  ),
});

describe('the description of the API', async () => {
  const answer = createOpenApiAnswer(() => ({ version: '1.0.0', url: 'http://localhost:3000' }));
  const text = await answer(new Request('http://localhost/api/openapi.json')).text();
  const operations = Object.values(Document.parse(JSON.parse(text)).paths).flatMap((path) => Object.values(path));

  it('is OpenAPI 3.1, as a validator of others reads it', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(text));
    expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(routes).toSorted());
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'has examples of %s that are valid',
    (name, { requestBody, responses }) => {
      const route: Route = routes[name as RouteName];
      if (route.body !== undefined) {
        const { example } = requestBody?.content['application/json'] ?? {};
        expect(route.body.safeParse(example).error?.issues).toBeUndefined();
      }
      const [answered] = Object.values(responses[String(route.status ?? 200)]?.content ?? {});
      expect(answered?.example).toBeDefined();
      if (route.answer !== 'file' && route.answer !== 'stream')
        expect(route.answer.safeParse(answered?.example).error?.issues).toBeUndefined();
    },
  );

  it('has numbers in its examples that a reader could meet', () => {
    const examples = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content }) => Object.values(content ?? {}).map(({ example }) => example)),
    );
    expect(JSON.stringify(examples)).not.toContain(String(Number.MIN_SAFE_INTEGER));
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'has examples of %s that fit their own schemas, by a validator of others',
    (_, { parameters, requestBody, responses }) => {
      const json = [requestBody, ...Object.values(responses)].flatMap(
        (one) => one?.content?.['application/json'] ?? [],
      );
      for (const { schema, example } of [...json, ...parameters].filter((one) => one.example !== undefined)) {
        const isValid = ajv.compile(schema);
        isValid(example);
        expect({ example, errors: isValid.errors }).toEqual({ example, errors: null });
      }
    },
  );

  it('requires no member that an object does not have', () => {
    const objects = schemasIn(JSON.parse(text)).filter(({ required }) => Array.isArray(required));
    expect(objects.length).toBeGreaterThan(300);
    for (const schema of objects) {
      const has = Object.keys(Object(schema.properties));
      expect([schema.required].flat().filter((member) => !has.includes(String(member)))).toEqual([]);
    }
  });

  it('names the codes with which a route refuses, by their status', () => {
    const refusedBy = (name: string) =>
      operations
        .filter(({ operationId }) => operationId === name)
        .flatMap(({ responses }) => Object.entries(responses))
        .filter(([status]) => status.startsWith('4'))
        .map(([status, { description }]) => `${status} ${description}`);
    expect(refusedBy('getHealth')).toEqual([]);
    expect(refusedBy('readCalendar')).toEqual([
      '400 Refused: `invalid_request`',
      '404 Refused: `not_found`',
      '410 Refused: `gone`',
      '422 Refused: `unprocessable`',
      '429 Refused: `rate_limited`',
    ]);
    expect(refusedBy('updateContact')).toEqual([
      '400 Refused: `invalid_request`',
      '401 Refused: `unauthenticated` or `second_factor_required`',
      '403 Refused: `forbidden`',
      '404 Refused: `not_found`',
      '408 Refused: `too_slow`',
      '409 Refused: `conflict`',
      '413 Refused: `too_large`',
      '422 Refused: `unprocessable`',
      '429 Refused: `rate_limited`',
    ]);
  });
});

const ajv = new Ajv2020({ strict: false, validateFormats: false });

type Schema = Record<string, unknown>;

/** Every object of the document that describes one, apart from examples. */
function schemasIn(value: unknown): Schema[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value);
  const own: Schema = Object.fromEntries(members);
  const inner = members.filter(([name]) => name !== 'example').flatMap(([, member]) => schemasIn(member));
  return own.type === 'object' ? [own, ...inner] : inner;
}
