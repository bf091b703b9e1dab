import { expect, it } from 'vitest';
import { createRoutes } from '#engine/routes.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';

it("makes of an installation's configuration that cannot be used a problem of the recipients concerned, and throws nothing", () => {
  const findRoute = createRoutes({
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    defaults: () => {
      throw new Error('there is no user name');
    },
  });
  expect(findRoute([])({ type: 'email', workspaceId: 'any' })).toEqual([
    {
      problem: "The installation's own configuration for email cannot be used: there is no user name",
      isOff: false,
    },
  ]);
});
