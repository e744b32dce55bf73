import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import type { Provider } from './provider.ts';
import type { SignInStates } from './signInState.ts';
import { bindLogin } from './login.ts';
import { bindLoginCallback } from './loginCallback.ts';
import { bindLogout } from './logout.ts';

/** Routes for signing in at the provider, returning from it, and signing out. */
export function bindSignIn(
  bind: BindRoute,
  context: Pick<GatewayContext, 'publicUrl' | 'security' | 'sessions' | 'log' | 'origins' | 'identity' | 'clock'>,
  provider: Provider | undefined,
  states: SignInStates,
): void {
  bindLogin(bind, context, provider, states);
  bindLoginCallback(bind, context, provider, states);
  bindLogout(bind, context, provider);
}
