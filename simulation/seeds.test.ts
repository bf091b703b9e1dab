import { lastWithoutFailOvers } from '#simulation/scenario.ts';
import { describeReplay, describeSeeds } from '#simulation/seeds.ts';
import { sample } from '#testing/sample.ts';

const seeds = Array.from({ length: lastWithoutFailOvers }, (_, at) => at + 1);
/** Claims are lost in these; in the last, a batch then has two outcomes of one message. */
const lossy = [2_022, 2_032, 2_268];
const afterLoss = Array.from({ length: 400 }, (_, at) => lastWithoutFailOvers + at + 1);
/** In these a fence rejects a result, or jobs are left in the queue: rare events, of which every run must have seen some. */
const eventful = [12, 52, 64, 122];

describeSeeds('the promises of a delivery', { seeds: sample.draw(seeds, { name: 'simulations', always: eventful }) });
describeSeeds('what is recorded, and that everything ends,', {
  seeds: sample.draw(afterLoss, { name: 'simulations of fail-overs', always: lossy }),
  needed: ['fail-overs', 'lost claims', 'rescues'],
});
describeReplay();
