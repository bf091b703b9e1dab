import type { Emulator } from '#platform/sandbox/emulator.ts';
import { awsSns } from './aws-sns.ts';
import { hooks } from './hooks.ts';
import { messageBird } from './messagebird.ts';
import { push } from './push.ts';
import { slack } from './slack.ts';
import { twilio } from './twilio.ts';
import { vonage } from './vonage.ts';
import { waha } from './waha.ts';
import { whatsAppBusiness } from './whatsapp-business.ts';

/** Everybody whose part the sandbox plays over HTTP. No two own the same address, so that one port serves them all. */
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
