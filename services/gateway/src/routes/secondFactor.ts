import { routes } from '@nolo/api';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import { asking } from './asking.ts';
import { isoTime } from './mapPeople.ts';
import { beginSession } from './verification.ts';

export function bindSecondFactor(bind: Bind, edge: Edge): void {
  const { secondFactor, sessions } = edge;

  bind(routes.getSecondFactor, async ({ actor, rpc }) => {
    const state = await secondFactor.getSecondFactor({ actorId: actor.userId }, rpc);
    const { addedAt, registrationLock = false, recoveryCodesLeft = 0, wait } = state;
    return {
      addedAt: addedAt ? isoTime(addedAt) : null,
      registrationLock,
      recoveryCodesLeft,
      wait: wait
        ? { askedAt: isoTime(wait.askedAt), opensAt: isoTime(wait.opensAt), userAgent: wait.userAgent ?? '' }
        : null,
    };
  });

  bind(routes.beginSecondFactor, async ({ actor, rpc }) => {
    const { secret = '', uri = '' } = await secondFactor.beginSecondFactor(asking(actor), rpc);
    return { secret, uri };
  });

  bind(routes.confirmSecondFactor, async ({ actor, body: { code }, rpc }) => {
    const { codes } = await secondFactor.confirmSecondFactor({ ...asking(actor), code }, rpc);
    return { recoveryCodes: codes };
  });

  bind(routes.removeSecondFactor, async ({ actor, rpc }) => {
    await secondFactor.removeSecondFactor(asking(actor), rpc);
  });

  bind(routes.renewRecoveryCodes, async ({ actor, rpc }) => {
    const { codes } = await secondFactor.renewRecoveryCodes(asking(actor), rpc);
    return { recoveryCodes: codes };
  });

  bind(routes.setRegistrationLock, async ({ actor, body: { on }, rpc }) => {
    await secondFactor.setRegistrationLock({ ...asking(actor), on }, rpc);
  });

  bind(routes.proveBySecondFactor, async ({ actor, body: { code }, rpc }) => {
    await secondFactor.proveBySecondFactor({ ...asking(actor), code }, rpc);
  });

  bind(routes.refuseAccountWait, async ({ actor, rpc }) => {
    await secondFactor.refuseAccountWait(asking(actor), rpc);
  });

  bind(routes.passSecondFactor, async ({ body: { ticket, code }, device, request, response, rpc }) => {
    const signedIn = await secondFactor.passSecondFactor({ ticket, code, device }, rpc);
    const current = await sessions.find(request.headers, rpc);
    return { ...(await beginSession(edge, signedIn, current, { response, rpc })), message: 'Signed in' };
  });

  bind(routes.askForAccount, async ({ body: { ticket }, device, rpc }) => {
    const { opensAt, endsAt } = await secondFactor.askForAccount({ ticket, device }, rpc);
    return { opensAt: isoTime(opensAt), endsAt: isoTime(endsAt) };
  });
}
