/** Whether a screen with bar and footer is open to people who are not signed in. */
export const isOpenToAll = (path: string): boolean => /^\/api-docs\/?$/i.test(path);
