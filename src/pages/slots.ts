/** The values that only an installation knows: the server fills them in. */
export const slotNames = [
  /** The public address of the installation, without a slash at its end. */
  'appUrl',
  'supportEmail',
  'supportPhone',
  /** The phone number as a link dials it. */
  'supportPhoneDigits',
  /** The path at which a demo begins, for visitors who are not signed in. */
  'demoPath',
  /** The note above the prices, where no real money is charged. */
  'priceNote',
  /** Set where the installation takes payments. */
  'billing',
  'operatorName',
  'operatorAddress',
  'year',
  /** The state of the installation: that of its worst component, the same in words, and what is not operational. */
  'statusState',
  'statusHeadline',
  'statusTroubles',
] as const;

export type Slot = (typeof slotNames)[number];

/** The values; null for what the installation does not have, whose `When` is then left out. */
export type SlotValues = Record<Slot, string | null>;

/** The mark in a built page that the server replaces by the escaped value. */
export const slot = (name: Slot): string => `[[${name}]]`;

/** The elements around a part that needs a value, or that replaces it. They are removed before a page is sent. */
export const whenElement = 'when-set';
export const unlessElement = 'unless-set';
