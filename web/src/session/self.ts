import { routes, type Self } from '@nolo/api';
import { useStore } from 'zustand';
import { call } from '../api/httpClient.ts';
import { sessionStore } from './session.ts';

/** Returns the signed-in user. Only for components below SignedIn. */
export function useSelf(): Self {
  const user = useStore(sessionStore, (state) => state.user);
  if (user === null) throw new Error('useSelf must be used on signed-in screens only.');
  return user;
}

/** Reloads the signed-in user. An ended session is reported to `onUnauthorized`. */
export async function refreshSelf(): Promise<void> {
  const user = await call(routes.getSelf);
  const session = sessionStore.getState();
  if (session.status === 'signedIn') session.signedIn(user);
}
