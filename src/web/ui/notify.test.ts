import { notificationsStore } from '@mantine/notifications';
import { beforeEach, expect, it } from 'vitest';
import { clearToasts, hideToast, notifyError, notifySuccess, notifyUndoable } from './notify.tsx';

const inFront = () => notificationsStore.getState().notifications.map(({ title }) => title);
const waiting = () => notificationsStore.getState().queue.map(({ title }) => title);
const close = (title: string) =>
  hideToast([...notificationsStore.getState().notifications].find((one) => one.title === title)?.id ?? '');

beforeEach(() => {
  clearToasts();
  // As `Overlays.tsx` sets it.
  notificationsStore.updateState((state) => ({ ...state, limit: 1 }));
});

it('the newest toast is in front, and what only said that something was done is over', () => {
  notifySuccess('Saved');
  notifySuccess('Paused');
  expect([inFront(), waiting()]).toEqual([['Paused'], []]);
});

it('Undo and what has failed wait behind a newer toast and come back, the newest first', () => {
  notifyUndoable('Deleted', '3 contacts are deleted.', async () => true);
  notifyError('Error loading jobs', 'The server could not be reached.');
  notifySuccess('Saved');
  expect(inFront()).toEqual(['Saved']);
  close('Saved');
  expect(inFront()).toEqual(['Error loading jobs']);
  close('Error loading jobs');
  expect(inFront()).toEqual(['Deleted']);
});

it('an equal error comes to the front again instead of a second time', () => {
  notifyError('Error', 'No');
  notifyError('Another error', 'No');
  notifyError('Error', 'No');
  expect([inFront(), waiting()]).toEqual([['Error'], ['Another error']]);
});

it('no more than three wait, however many fail', () => {
  for (let n = 1; n <= 20; n += 1) notifyError(`Error ${n}`);
  expect([inFront(), waiting()]).toEqual([['Error 20'], ['Error 19', 'Error 18', 'Error 17']]);
});
