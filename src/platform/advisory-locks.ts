/** The numbers of PostgreSQL's advisory locks, the same for every Cuebird: no two kinds of work share one. */
export const advisoryLocks = {
  migrations: 7_263_409_151,
  /** Taken by the function `make_month_partition`. */
  monthPartitions: 7_263_409_152,
  timeZoneData: 726_003,
  archiver: 726_004,
  deliveryPause: 726_005,
  endedProcesses: 726_006,
  demo: 726_007,
  restore: 726_008,
  keyRotation: 726_009,
  nightlyBackup: 726_010,
  totaller: 726_011,
  erasures: 726_012,
} as const;
