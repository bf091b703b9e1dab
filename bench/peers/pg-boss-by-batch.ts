import { pgBoss } from './pg-boss.ts';

export const contender = pgBoss({ recordedBy: 'batch' });
