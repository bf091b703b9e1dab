// What the support page does beyond its links: the history of the status, the request, and what depends on who is signed in.
import { memberOf } from '#pages/answer.ts';
import { submitRequest } from './request-form.ts';
import { watchStatus } from './system-status.ts';

const form = document.querySelector<HTMLFormElement>('form[data-support-request]');
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void submitRequest(form);
});

const status = document.querySelector<HTMLElement>('.status');
if (status !== null) watchStatus(status);

if (document.querySelector('[data-signed-in]') !== null) void showForPerson();

/** Fills in the person's address, and shows the number where a workspace of theirs has phone support. A session may be over by now. */
async function showForPerson(): Promise<void> {
  const [session, workspaces] = await Promise.all([read('/api/auth/get-session'), read('/api/workspaces')]);
  const address = memberOf(memberOf(session, 'user'), 'email');
  const input = document.querySelector<HTMLInputElement>('#email');
  if (input !== null && input.value === '' && typeof address === 'string') input.value = address;
  const list = memberOf(workspaces, 'data');
  if (!Array.isArray(list) || !list.some(hasPhoneSupport)) return;
  document.querySelector('[data-without-phone]')?.toggleAttribute('hidden', true);
  document.querySelector('[data-with-phone]')?.toggleAttribute('hidden', false);
}

const hasPhoneSupport = (workspace: unknown): boolean =>
  memberOf(workspace, 'subscription_tier') === 'enterprise' &&
  memberOf(workspace, 'subscription_status') === 'active' &&
  memberOf(workspace, 'delete_after') === null &&
  memberOf(workspace, 'suspended_at') === null;

/** The answer at a path; null where it cannot be read: the page works without it. */
async function read(path: string): Promise<unknown> {
  try {
    const response = await fetch(path);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
