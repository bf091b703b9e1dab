import { DatabaseError } from 'pg';

/** A unique violation: another row has the key already. */
export const isDuplicate = (error: unknown) => error instanceof DatabaseError && error.code === '23505';
