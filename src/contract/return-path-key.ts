/** The key in the browser's storage of the path to open after signing in. */
export const returnPathKey = 'cuebird.return-path';
