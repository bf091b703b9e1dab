import type { ChannelType } from '#contract/channel-types.ts';
import type { ReasonParams } from '#contract/reason-params.ts';

/** The value that is missing; null where the code is about something else. */
export const missingNameIn = (params: ReasonParams | null): string | null =>
  params !== null && 'name' in params ? params.name : null;

/** The day on which a pause ends; null where the code is about something else. */
export const pauseEndIn = (params: ReasonParams | null): string | null =>
  params !== null && 'until' in params ? params.until : null;

/** The channel over which a failed message continues; null where it does not. */
export const nextChannelIn = (params: ReasonParams | null): ChannelType | null =>
  params !== null && 'next' in params ? params.next : null;

/** Whether a message that nobody can leave has not reached the person, over any channel. */
export const isUnreachedIn = (params: ReasonParams | null): boolean => params !== null && 'required' in params;

export type AddressLacking = 'email' | 'phone' | 'either';

/** The address that the person lacks; null where the code is about something else. */
export const addressLackingIn = (params: ReasonParams | null): AddressLacking | null =>
  params !== null && 'lacks' in params ? params.lacks : null;

export const addressLackingWords: Record<AddressLacking, string> = {
  email: 'no email address',
  phone: 'no phone',
  either: 'no email address and no phone',
};
