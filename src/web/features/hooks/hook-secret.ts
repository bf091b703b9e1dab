/** A new secret for signed requests: 24 random bytes, as Standard Webhooks writes them. */
export const newHookSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`;
