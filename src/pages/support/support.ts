// What the support page does beyond its links: the history of the status, the request, and what depends on who is signed in.
import { submitRequest } from './request-form.ts';
import { showForPerson } from './signed-in.ts';
import { watchStatus } from './system-status.ts';

const form = document.querySelector<HTMLFormElement>('form[data-support-request]');
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void submitRequest(form);
});

const status = document.querySelector<HTMLElement>('.status');
if (status !== null) watchStatus(status);

if (document.querySelector('[data-signed-in]') !== null) void showForPerson();
