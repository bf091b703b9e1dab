/** The seed of the one simulation to repeat; null when all are run. */
export const replayed: number | null = process.env.SIM_SEED === undefined ? null : Number(process.env.SIM_SEED);
