import { routes } from '#contract/routes.ts';
import { describeHostileInput } from '#testing/hostile-input.ts';
import { routeNames } from '#testing/sample-requests.ts';

describeHostileInput(routeNames.filter((name) => routes[name].method === 'get'));
