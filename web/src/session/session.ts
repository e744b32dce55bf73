import type { Self } from '@nolo/api';
import { createStore } from 'zustand/vanilla';

/** Session state. `unreachable`: unknown, because the server did not respond. */
type SessionStatus = 'unknown' | 'signedOut' | 'signedIn' | 'unreachable';

interface SessionState {
  status: SessionStatus;
  /** Signed-in user, only while `status` is signedIn. */
  user: Self | null;
  /** True once the server has confirmed the user. False while only the device knows them. */
  confirmed: boolean;
  /** True if the stored session is over, because the server reports that it does not exist. */
  ended: boolean;
  /** True if somebody ended the session, here or on another device. False while it may have expired. */
  revoked: boolean;
  /** True if the session ended because an operator suspended the account. */
  suspended: boolean;
  /** True if signed out and on the phone form instead of the landing page. */
  phoneSignIn: boolean;
  signedIn: (user: Self) => void;
  remembered: (user: Self) => void;
  end: () => void;
  revoke: () => void;
  suspend: () => void;
  signedOut: () => void;
  unreachable: () => void;
  /** Signs the user out of the app until the device is erased. */
  leaving: () => void;
  openPhoneSignIn: () => void;
  closePhoneSignIn: () => void;
}

export const sessionStore = createStore<SessionState>((set) => ({
  status: 'unknown',
  user: null,
  confirmed: false,
  ended: false,
  revoked: false,
  suspended: false,
  phoneSignIn: false,
  signedIn: (user) =>
    set({
      status: 'signedIn',
      user,
      confirmed: true,
      ended: false,
      revoked: false,
      suspended: false,
      phoneSignIn: false,
    }),
  remembered: (user) => set({ status: 'signedIn', user, confirmed: false, ended: false }),
  end: () => set({ ended: true }),
  revoke: () => set({ revoked: true }),
  suspend: () => set({ suspended: true }),
  signedOut: () => set({ status: 'signedOut', user: null, ended: false }),
  unreachable: () => set({ status: 'unreachable' }),
  leaving: () => set({ status: 'unknown', user: null, ended: false }),
  openPhoneSignIn: () => set({ phoneSignIn: true }),
  closePhoneSignIn: () => set({ phoneSignIn: false }),
}));
