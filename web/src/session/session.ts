import type { Self } from '@nolo/api';
import { createStore } from 'zustand/vanilla';

/** `unreachable`: nobody knows yet, because the server could not be asked. */
export type SessionStatus = 'unknown' | 'signedOut' | 'signedIn' | 'unreachable';

interface SessionState {
  status: SessionStatus;
  /** Who is signed in; only while `status` is signedIn. */
  user: Self | null;
  /** The server has said so; false while only the device remembers. */
  confirmed: boolean;
  /** What the device remembers is over: the server says that there is no such session. */
  ended: boolean;
  /** The session ended because an operator keeps the account out. */
  suspended: boolean;
  /** Signed out and on the phone form rather than on the landing page. */
  phoneSignIn: boolean;
  signedIn: (user: Self) => void;
  remembered: (user: Self) => void;
  end: () => void;
  suspend: () => void;
  signedOut: () => void;
  unreachable: () => void;
  /** Nobody is here until the device is erased. */
  leaving: () => void;
  openPhoneSignIn: () => void;
  closePhoneSignIn: () => void;
}

export const sessionStore = createStore<SessionState>((set) => ({
  status: 'unknown',
  user: null,
  confirmed: false,
  ended: false,
  suspended: false,
  phoneSignIn: false,
  signedIn: (user) =>
    set({ status: 'signedIn', user, confirmed: true, ended: false, suspended: false, phoneSignIn: false }),
  remembered: (user) => set({ status: 'signedIn', user, confirmed: false, ended: false }),
  end: () => set({ ended: true }),
  suspend: () => set({ suspended: true }),
  signedOut: () => set({ status: 'signedOut', user: null, ended: false }),
  unreachable: () => set({ status: 'unreachable' }),
  leaving: () => set({ status: 'unknown', user: null, ended: false }),
  openPhoneSignIn: () => set({ phoneSignIn: true }),
  closePhoneSignIn: () => set({ phoneSignIn: false }),
}));
