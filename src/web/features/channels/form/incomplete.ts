/** What the spec, and the server, say of a configuration that lacks what it needs. */
export const incomplete = 'Configuration incomplete';
