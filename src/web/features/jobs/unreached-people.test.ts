import { expect, it } from 'vitest';
import { unreachedPeople } from './unreached-people.ts';

const line = (more: Partial<Parameters<typeof unreachedPeople>[0]['failed'][number]>) => ({
  channel: 'email' as const,
  recipient: 'ann@example.com',
  recipient_name: null,
  contact_id: null,
  reason_code: null,
  ...more,
});

it('those who got it over another channel, and those who were not to get it, are not among the unreached', () => {
  const failed = [
    line({ contact_id: 'anna', reason_code: 'no_such_address' }),
    line({ contact_id: 'ben', recipient: 'ben@example.com' }),
    line({ contact_id: 'ben', channel: 'sms', recipient: '+4915112345678' }),
    line({ contact_id: 'cleo', reason_code: 'person_paused' }),
    line({ contact_id: 'dan', reason_code: 'person_skipped' }),
  ];
  const served = [line({ contact_id: 'anna', channel: 'sms' })];
  expect(unreachedPeople({ failed, served })).toEqual({ audience: { contacts: ['ben'] } });
});

it('addresses that are no contact’s are named once, with their names; destinations and URLs are nobody', () => {
  const failed = [
    line({ recipient: 'ann@example.com', recipient_name: 'Ann Lee' }),
    line({ recipient: 'ANN@example.com', channel: 'webhook' }),
    line({ recipient: '+4915112345678', channel: 'sms' }),
    line({ recipient: 'https://example.com/hook', channel: 'webhook' }),
    line({ recipient: 'slack', channel: 'slack' }),
  ];
  expect(unreachedPeople({ failed, served: [] })).toEqual({
    recipients: ['ANN@example.com', '+4915112345678'],
  });
  expect(unreachedPeople({ failed: failed.slice(0, 1), served: [] })).toEqual({
    recipients: ['Ann Lee <ann@example.com>'],
  });
});

it('more than a message can name are nobody', () => {
  const failed = Array.from({ length: 1_001 }, (_, at) => line({ contact_id: `c${at}` }));
  expect(unreachedPeople({ failed, served: [] })).toBeNull();
  expect(unreachedPeople({ failed: failed.slice(1), served: [] })?.audience?.contacts).toHaveLength(1_000);
});
