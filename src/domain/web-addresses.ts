/**
 * Matches web addresses in plain text, without the punctuation that follows them. In a group, so that `split` keeps
 * them.
 */
export const webAddresses = /(https?:\/\/(?:[.,;:!?)\]]*[^\s<>"'.,;:!?)\]])+)/g;
