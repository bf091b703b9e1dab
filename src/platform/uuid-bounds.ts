/** The lowest UUID (RFC 9562, section 5.9): paging by id starts above it, and it fills in where no row has an id. */
export const nilUuid = '00000000-0000-0000-0000-000000000000';

/** The highest UUID (section 5.10): where a range of ids has no end. */
export const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
