import { describeSeeds } from '#simulation/seeds.ts';

describeSeeds('the promises of a delivery', { from: 1_001, to: 2_000 });
