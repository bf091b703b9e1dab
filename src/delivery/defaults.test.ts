import { describe, expect, it } from 'vitest';
import { createDefaultRoutes } from '#delivery/defaults.ts';

describe("the installation's own mail server", () => {
  it.each([
    ['with a login', 'smtp://ann:secret@mail.example.com:587', { username: 'ann', password: 'secret' }],
    ['without one', 'smtp://mail.example.com:25', { username: 'cuebird@example.com', password: '' }],
  ])('is a route for mail %s', (_, url, login) => {
    const routeOf = createDefaultRoutes({ sandbox: null, mailServer: { url, from: 'Cuebird <cuebird@example.com>' } });
    expect(routeOf('email', 'any workspace')).toMatchObject({
      config: { ...login, smtp_host: 'mail.example.com', from_email: 'cuebird@example.com', from_name: 'Cuebird' },
    });
  });
});
