/** Whether a screen with top bar and footer is also for who is not signed in. */
export const isOpenToAll = (path: string): boolean => /^\/api-docs\/?$/i.test(path);
