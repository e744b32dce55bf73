import { createToasts } from './toasts.ts';

test('what fails after a session ended does not take the place of that', () => {
  const { getState } = createToasts();
  const ended = getState().show({ title: 'Unauthorized', last: true });
  getState().show({ kind: 'error', title: 'Failed to update profile' });
  expect(getState().toasts.map(({ title }) => title)).toEqual(['Unauthorized']);
  getState().dismiss(ended);
  getState().show({ title: 'Profile Updated' });
  expect(getState().toasts[0]?.title).toBe('Profile Updated');
});
