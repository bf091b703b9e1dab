/** The seed of the one simulation that is to be run again, null when all are. */
export const replayed: number | null = process.env.SIM_SEED === undefined ? null : Number(process.env.SIM_SEED);
