/** What a build cannot know: the server fills it in. */
export const slotNames = [
  /** Where the page stands, without a slash at its end. */
  'appUrl',
  'supportEmail',
  'supportPhone',
  /** The same number as a link dials it. */
  'supportPhoneDigits',
  /** Where a demo begins, for whoever is not signed in. */
  'demoPath',
  /** What is said above the prices where nothing is charged, or nothing real. */
  'priceNote',
  /** Set where the installation bills. */
  'billing',
  'operatorName',
  'operatorAddress',
  'year',
  /** How the installation is at the moment: the worst of its components, that in words, and what is not operational. */
  'statusState',
  'statusHeadline',
  'statusTroubles',
] as const;

export type Slot = (typeof slotNames)[number];

/** Null where the installation has no such thing: what stands in a `When` for it is then left out. */
export type SlotValues = Record<Slot, string | null>;

/** Stands in the built page where the value comes; the server escapes it. */
export const slot = (name: Slot): string => `[[${name}]]`;

/** Around a part of the page that needs a value, or that stands in for it. The elements themselves reach no browser. */
export const whenElement = 'when-set';
export const unlessElement = 'unless-set';
