import { useQuery } from '@tanstack/react-query';
import { configQuery } from '#web/api/config.ts';

/** The least length of a new password; the server checks it again. */
export const useMinPasswordLength = (): number => useQuery(configQuery).data?.min_password_length ?? 6;
