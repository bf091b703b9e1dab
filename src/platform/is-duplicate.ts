import { DatabaseError } from 'pg';

/** Whether an insert failed because another row has the key already (a unique violation). */
export const isDuplicate = (error: unknown) => error instanceof DatabaseError && error.code === '23505';
