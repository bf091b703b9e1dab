import { describe, expect, it } from 'vitest';
import { messageValues } from '#domain/variables.ts';

const valuesOf = (input: Partial<Parameters<typeof messageValues>[0]> = {}) =>
  messageValues({
    recipient: 'dana@example.com',
    recipientName: null,
    companyName: 'Elm Street',
    scheduledForMs: Date.parse('2026-12-31T23:30:00Z'),
    timezone: 'UTC',
    values: {},
    data: {},
    contact: null,
    ...input,
  });

const noParts = { first_name: null, last_name: null, salutation: null, language: null };

describe('the values of a message', () => {
  it('include the recipient, the company and the date', () => {
    expect(valuesOf({ recipientName: 'Dana' })).toEqual({
      recipient_name: 'Dana',
      recipient_email: 'dana@example.com',
      company_name: 'Elm Street',
      current_date: 'December 31, 2026',
      current_month: 'December',
      current_year: '2026',
    });
  });

  it("take the day from the reminder's zone and from when it was due", () => {
    const berlin = { current_date: 'January 1, 2027', current_month: 'January', current_year: '2027' };
    expect(valuesOf({ timezone: 'Europe/Berlin' })).toMatchObject(berlin);
    expect(valuesOf({ timezone: 'America/New_York' })).toMatchObject({ current_year: '2026' });
    expect(valuesOf({ timezone: 'Europe/Berlin' })).toMatchObject(berlin);
    expect(valuesOf({ scheduledForMs: Date.parse('2026-02-01T12:00:00Z') })).toMatchObject({
      current_date: 'February 1, 2026',
    });
  });

  it("prefer the reminder's own to the event's, and the event's to the workspace's", () => {
    const data = { amount: '1', company_name: 'Event Inc', product_name: 'Lamp' };
    expect(valuesOf({ data, values: { amount: '2' } })).toMatchObject({
      amount: '2',
      company_name: 'Event Inc',
      product_name: 'Lamp',
    });
  });

  it("prefer the contact's to the event's and the workspace's, and the reminder's own to the contact's", () => {
    const contact = {
      ...noParts,
      name: 'Anna Smith',
      email: 'anna@example.com',
      phone: '+4915112345678',
      variables: { amount: '5', rent: '950', company_name: 'Elm & Sons' },
    };
    const data = { rent: '1', recipient_name: 'Event' };
    expect(valuesOf({ contact, data, values: { amount: '2' } })).toMatchObject({
      amount: '2',
      rent: '950',
      company_name: 'Elm & Sons',
      recipient_name: 'Anna Smith',
      recipient_phone: '+4915112345678',
      recipient_email: 'dana@example.com',
    });
    expect(valuesOf({ contact, recipientName: 'Mrs Smith' })).toMatchObject({ recipient_name: 'Mrs Smith' });
    expect(valuesOf({ contact, values: { recipient_name: 'Tenant' } })).toMatchObject({ recipient_name: 'Tenant' });
    expect(valuesOf({ contact, recipient: '+4915112345678' })).toMatchObject({ recipient_email: 'anna@example.com' });
  });

  it("have the contact's fields before values of the same name, which a field without content leaves in use", () => {
    const contact = {
      ...noParts,
      name: 'Anna Smith',
      first_name: 'Anna',
      salutation: 'Ms',
      email: null,
      phone: null,
      variables: { firstName: 'Annie', last_name: 'Jones', salutation: 'Dear' },
    };
    const values = valuesOf({ contact, data: { language: 'de', first_name: 'Event' } });
    expect(values).toMatchObject({ first_name: 'Anna', last_name: 'Jones', salutation: 'Ms', language: 'de' });
    expect(values).not.toHaveProperty('firstName');
    // No part is guessed from the whole name.
    expect(valuesOf({ contact: { ...contact, first_name: null, variables: {} } })).not.toHaveProperty('first_name');
    expect(valuesOf({ contact, values: { first_name: 'Tenant' } })).toMatchObject({ first_name: 'Tenant' });
  });

  it('replace less specific ones of another spelling', () => {
    const contact = {
      ...noParts,
      name: 'Anna',
      email: null,
      phone: null,
      variables: { Amount: '950', 'Company Name': 'Elm & Sons' },
    };
    const values = valuesOf({ contact, data: { amount: '1' } });
    expect(values).toMatchObject({ Amount: '950', 'Company Name': 'Elm & Sons' });
    expect(values).not.toHaveProperty('amount');
    expect(values).not.toHaveProperty('company_name');
    expect(valuesOf({ contact, values: { AMOUNT: '2' } })).not.toHaveProperty('Amount');
  });

  it('take nothing from a contact without values', () => {
    const contact = { ...noParts, name: null, email: null, phone: null, variables: { amount: ' ' } };
    expect(valuesOf({ contact, data: { amount: '3' } })).toEqual(valuesOf({ data: { amount: '3' } }));
  });

  it('name a recipient by the name in the list, else by a given one, else by the address', () => {
    const values = { recipient_name: 'Tenant' };
    expect(valuesOf({ recipientName: 'Dana', values })).toMatchObject({ recipient_name: 'Dana' });
    expect(valuesOf({ values, data: { recipient_name: 'Event' } })).toMatchObject({ recipient_name: 'Tenant' });
    expect(valuesOf()).toMatchObject({ recipient_name: 'dana@example.com' });
  });

  it('include the address that is used, whatever else was given', () => {
    expect(valuesOf({ values: { recipient_email: 'else@example.com' } })).toMatchObject({
      recipient_email: 'dana@example.com',
    });
  });

  it('count a blank as no value', () => {
    expect(valuesOf({ values: { amount: ' ', company_name: '' }, data: { amount: '950' } })).toMatchObject({
      amount: '950',
      company_name: 'Elm Street',
    });
    expect(valuesOf({ data: { company_name: ' ' } })).toMatchObject({ company_name: 'Elm Street' });
    expect(valuesOf({ values: { amount: '' } })).not.toHaveProperty('amount');
  });
});
