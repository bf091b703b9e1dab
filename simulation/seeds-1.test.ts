import { describeReplay, describeSeeds } from '#simulation/seeds.ts';

describeSeeds('the promises of a delivery', { from: 1, to: 1_000 });
describeReplay();
