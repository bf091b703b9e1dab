/** The message of the specification and of the server for an incomplete configuration. */
export const incomplete = 'Configuration incomplete';
