/** The channels for which a workspace can require a consent. */
export const consentChannels = ['sms', 'whatsapp'] as const;
export type ConsentChannel = (typeof consentChannels)[number];
