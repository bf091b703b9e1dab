/**
 * The opt-out and opt-in words of carriers and providers. The whole message must be the word
 * (docs.aws.amazon.com/sms-voice "Required opt-out keywords", help.twilio.com "Twilio support for opt-out keywords").
 */
export function optOutIn(text: string): 'stopped' | 'resumed' | null {
  const word = text.trim().toUpperCase();
  if (stopWords.has(word)) return 'stopped';
  return startWords.has(word) ? 'resumed' : null;
}

const stopWords = new Set([
  'STOP',
  'STOPP',
  'STOPALL',
  'STOP ALL',
  'ARRET',
  'CANCEL',
  'END',
  'OPT-OUT',
  'OPTOUT',
  'QUIT',
  'REMOVE',
  'REVOKE',
  'UNSUBSCRIBE',
]);

const startWords = new Set(['START', 'UNSTOP']);
