import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import type { Provider } from './provider.ts';
import type { SignInStates } from './signInState.ts';
import { bindLogin } from './login.ts';
import { bindLoginCallback } from './loginCallback.ts';
import { bindLogout } from './logout.ts';

/** Routes for signing in at the provider, returning from it, and signing out. */
export function bindSignIn(bind: Bind, edge: Edge, provider: Provider | undefined, states: SignInStates): void {
  bindLogin(bind, edge, provider, states);
  bindLoginCallback(bind, edge, provider, states);
  bindLogout(bind, edge, provider);
}
