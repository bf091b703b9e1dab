import { routes } from '#contract/routes.ts';
import { describeHostileInput } from '#testing/hostile-input.ts';
import { routeNames } from '#testing/sample-requests.ts';

const isDeletion = (name: (typeof routeNames)[number]) => routes[name].method === 'delete';

// What is deleted is of no more use to the others.
describeHostileInput(
  routeNames
    .filter((name) => routes[name].method !== 'get')
    .toSorted((one, other) => Number(isDeletion(one)) - Number(isDeletion(other))),
);
