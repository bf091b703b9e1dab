import type { Emulator } from '#sandbox/emulator.ts';
import { awsSns } from './aws-sns.ts';
import { hooks } from './hooks.ts';
import { messageBird } from './messagebird.ts';
import { push } from './push.ts';
import { slack } from './slack.ts';
import { twilio } from './twilio.ts';
import { vonage } from './vonage.ts';
import { waha } from './waha.ts';
import { whatsAppBusiness } from './whatsapp-business.ts';

/** Every provider that the sandbox emulates over HTTP. Their paths do not overlap, so one port serves them all. */
export const emulators: readonly Emulator[] = [
  hooks,
  twilio,
  awsSns,
  messageBird,
  vonage,
  waha,
  whatsAppBusiness,
  slack,
  push,
];
