import { useMediaQuery } from '@mantine/hooks';

/** Below 768 px: cards instead of tables, sheets instead of dialogs. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
