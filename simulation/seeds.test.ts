import { describeReplay, describeSeeds } from '#simulation/seeds.ts';
import { sample } from '#testing/sample.ts';

const seeds = Array.from({ length: 2_000 }, (_, at) => at + 1);
/** In these a fence rejects a result, or jobs are left in the queue: rare events, of which every run must have seen some. */
const eventful = [12, 52, 64, 122];

describeSeeds('the promises of a delivery', { seeds: sample.draw(seeds, { name: 'simulations', always: eventful }) });
describeReplay();
