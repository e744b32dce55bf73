import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime } from '../mapping/people.ts';
import { beginSession } from './verification.ts';

export function bindSecondFactor(
  bind: BindRoute,
  context: Pick<GatewayContext, 'secondFactor' | 'sessions' | 'identity' | 'chat' | 'calls' | 'log'>,
): void {
  const { secondFactor, sessions } = context;

  bind(routes.getSecondFactor, async ({ actor, rpc }) => {
    const state = await secondFactor.getSecondFactor({ actorId: actor.userId }, rpc);
    const { addedAt, registrationLock = false, recoveryCodesLeft = 0, wait } = state;
    return {
      addedAt: addedAt ? toIsoTime(addedAt) : null,
      registrationLock,
      recoveryCodesLeft,
      wait: wait
        ? { askedAt: toIsoTime(wait.askedAt), opensAt: toIsoTime(wait.opensAt), userAgent: wait.userAgent ?? '' }
        : null,
    };
  });

  bind(routes.beginSecondFactor, async ({ actor, rpc }) => {
    const { secret = '', uri = '' } = await secondFactor.beginSecondFactor(callerOf(actor), rpc);
    return { secret, uri };
  });

  bind(routes.confirmSecondFactor, async ({ actor, body: { code }, rpc }) => {
    const { codes } = await secondFactor.confirmSecondFactor({ ...callerOf(actor), code }, rpc);
    return { recoveryCodes: codes };
  });

  bind(routes.removeSecondFactor, async ({ actor, rpc }) => {
    await secondFactor.removeSecondFactor(callerOf(actor), rpc);
  });

  bind(routes.renewRecoveryCodes, async ({ actor, rpc }) => {
    const { codes } = await secondFactor.renewRecoveryCodes(callerOf(actor), rpc);
    return { recoveryCodes: codes };
  });

  bind(routes.setRegistrationLock, async ({ actor, body: { on }, rpc }) => {
    await secondFactor.setRegistrationLock({ ...callerOf(actor), on }, rpc);
  });

  bind(routes.proveBySecondFactor, async ({ actor, body: { code }, rpc }) => {
    await secondFactor.proveBySecondFactor({ ...callerOf(actor), code }, rpc);
  });

  bind(routes.refuseAccountWait, async ({ actor, rpc }) => {
    await secondFactor.refuseAccountWait(callerOf(actor), rpc);
  });

  bind(routes.passSecondFactor, async ({ body: { ticket, code }, device, request, response, rpc }) => {
    const signedIn = await secondFactor.passSecondFactor({ ticket, code, device }, rpc);
    const current = await sessions.find(request.headers, rpc);
    return { ...(await beginSession(context, signedIn, current, { response, rpc })), message: 'Signed in' };
  });

  bind(routes.askForAccount, async ({ body: { ticket }, device, rpc }) => {
    const { opensAt, endsAt } = await secondFactor.askForAccount({ ticket, device }, rpc);
    return { opensAt: toIsoTime(opensAt), endsAt: toIsoTime(endsAt) };
  });
}
