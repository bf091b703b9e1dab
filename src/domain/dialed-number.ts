/** A phone number as a link dials it: `+49 (0)30 1234` is `+49301234`. */
export const dialedNumber = (phone: string): string => phone.replace('(0)', '').replaceAll(/[^+\d]/g, '');
