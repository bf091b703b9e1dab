import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '#contract/route.ts';
import { type RouteName, routes } from '#contract/routes.ts';
import { createOpenApiAnswer } from '#http/open-api.ts';

const Content = z.record(z.string(), z.looseObject({ example: z.unknown().optional() }));
const Document = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        requestBody: z.looseObject({ content: Content }).optional(),
        responses: z.record(z.string(), z.looseObject({ content: Content.optional() })),
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
});
