import { expect, it } from 'vitest';
import { createRoutes } from '#engine/run/routes.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';

it('reports an unusable installation configuration as a problem of the recipients concerned, and does not throw', () => {
  const findRoute = createRoutes({
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    defaults: () => {
      throw new Error('there is no user name');
    },
  });
  expect(findRoute([])({ type: 'email', workspaceId: 'any' })).toEqual([
    {
      problem: {
        code: 'no_channel',
        reason: "The installation's own configuration for email cannot be used: there is no user name",
      },
      isOff: false,
    },
  ]);
});
