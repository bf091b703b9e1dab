import { z } from 'zod';

/** The first day with reminders again, after a pause. A day that is over is a pause that has ended, as an export may have it. */
export const PauseDay = z.iso
  .date('must be a day such as 2026-12-01')
  .refine((day) => day >= '2000-01-01' && day < '2100-01-01', 'must be a day from 2000 to 2099');
