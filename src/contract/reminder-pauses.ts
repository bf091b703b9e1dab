import { z } from 'zod';
import { InstantInput, InstantText } from '#contract/common.ts';
import { post } from '#contract/route.ts';

/** Until when all reminders are paused; null when they are not. */
const AllPaused = z.object({ reminders_paused_until: InstantText.nullable() });

/** When a pause ends: in the future, and within a year. */
export const PauseEnd = InstantInput;
export const onlyPauses = { path: ['until'], error: 'Only a pause has an end' };

export const reminderPauseRoutes = {
  pauseAllReminders: post('/api/reminders/pause-all', {
    access: 'admin',
    summary: 'Pause all reminders of the workspace until an instant; each keeps its status',
    body: z.strictObject({ until: PauseEnd }),
    answer: AllPaused,
  }),
  resumeAllReminders: post('/api/reminders/resume-all', {
    access: 'admin',
    beginsMessages: true,
    summary: 'End the pause of all reminders now',
    answer: AllPaused,
  }),
};
