import type { Self } from '@nolo/api';
import { createStore } from 'zustand/vanilla';

/** `unreachable`: nobody knows yet, because the server could not be asked. */
export type SessionStatus = 'unknown' | 'signedOut' | 'signedIn' | 'unreachable';

interface SessionState {
  status: SessionStatus;
  /** Who is signed in; only while `status` is signedIn. */
  user: Self | null;
  /** Signed out and on the phone form rather than on the landing page. */
  phoneSignIn: boolean;
  signedIn: (user: Self) => void;
  signedOut: () => void;
  unreachable: () => void;
  openPhoneSignIn: () => void;
  closePhoneSignIn: () => void;
}

export const sessionStore = createStore<SessionState>((set) => ({
  status: 'unknown',
  user: null,
  phoneSignIn: false,
  signedIn: (user) => set({ status: 'signedIn', user, phoneSignIn: false }),
  signedOut: () => set({ status: 'signedOut', user: null }),
  unreachable: () => set({ status: 'unreachable' }),
  openPhoneSignIn: () => set({ phoneSignIn: true }),
  closePhoneSignIn: () => set({ phoneSignIn: false }),
}));
