import { parseActorId } from '@nolo/kit/ids';
import { isAppError } from '@nolo/kit/errors';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { SecondFactorServiceDefinition } from '@nolo/proto/secondFactor';
import { newTotpSecret, buildTotpUri } from '../domain/oneTimePasswords.ts';
import { normalizeCode, isOneTimePassword, newRecoveryCodes } from '../domain/recoveryCodes.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { proofRequired, readRequestingSession, sessionInvalid } from './proofErrors.ts';
import { userNotFound } from './requests.ts';

type Rpc = (typeof SecondFactorServiceDefinition)['methods'];

const readOwner = (request: { actorId?: string | undefined; sessionId?: string | undefined }) =>
  readRequestingSession({ actorId: request.actorId ?? '', sessionId: request.sessionId ?? '' });

function refuse(outcome: 'unproven' | 'on' | 'off' | 'no_phone' | 'expired' | 'wrong') {
  switch (outcome) {
    case 'unproven':
      return proofRequired();
    case 'on':
      return createIdentityError('conflict', 'second_factor_on', 'Two-step verification is already on.');
    case 'off':
      return createIdentityError('conflict', 'second_factor_off', 'Two-step verification is off.');
    case 'no_phone':
      return createIdentityError(
        'conflict',
        'second_factor_no_phone',
        'Two-step verification needs a phone number on the account.',
      );
    case 'expired':
      return createIdentityError(
        'conflict',
        'second_factor_expired',
        'That took too long. Start again with a new secret.',
      );
    case 'wrong':
      return createIdentityError('invalid', 'second_factor_wrong', 'That code is wrong. Check your device’s clock.');
  }
}

export function getSecondFactor({ clock, secondFactors }: Dependencies): RpcHandler<Rpc['getSecondFactor']> {
  return async ({ actorId }) => secondFactors.state(parseActorId(actorId ?? ''), clock.now());
}

export function beginSecondFactor({
  accounts,
  clock,
  secondFactors,
}: Dependencies): RpcHandler<Rpc['beginSecondFactor']> {
  return async (request) => {
    const requester = readOwner(request);
    const secret = newTotpSecret();
    const outcome = await secondFactors.begin(requester, secret, clock.now());
    if (outcome !== 'begun') throw refuse(outcome);
    const account = await accounts.find(requester.userId);
    if (!account) throw userNotFound();
    return { secret, uri: buildTotpUri(secret, account.phoneNumber ?? 'Nolo') };
  };
}

export function confirmSecondFactor({
  clock,
  metrics,
  secondFactors,
}: Dependencies): RpcHandler<Rpc['confirmSecondFactor']> {
  return async (request) => {
    const codes = newRecoveryCodes();
    const code = normalizeCode(request.code ?? '');
    const outcome = await secondFactors.confirm(readOwner(request), code, codes, clock.now());
    if (outcome !== 'confirmed') throw refuse(outcome);
    metrics.secondFactor.inc({ event: 'added' });
    return { codes };
  };
}

export function removeSecondFactor({
  clock,
  metrics,
  secondFactors,
}: Dependencies): RpcHandler<Rpc['removeSecondFactor']> {
  return async (request) => {
    const outcome = await secondFactors.remove(readOwner(request), clock.now());
    if (outcome !== 'done') throw refuse(outcome);
    metrics.secondFactor.inc({ event: 'removed' });
    return {};
  };
}

export function renewRecoveryCodes({
  clock,
  metrics,
  secondFactors,
}: Dependencies): RpcHandler<Rpc['renewRecoveryCodes']> {
  return async (request) => {
    const codes = newRecoveryCodes();
    const outcome = await secondFactors.renewCodes(readOwner(request), codes, clock.now());
    if (outcome !== 'done') throw refuse(outcome);
    metrics.secondFactor.inc({ event: 'renewed' });
    return { codes };
  };
}

export function setRegistrationLock({ clock, secondFactors }: Dependencies): RpcHandler<Rpc['setRegistrationLock']> {
  return async (request) => {
    const outcome = await secondFactors.setLock(readOwner(request), request.on === true, clock.now());
    if (outcome !== 'done') throw refuse(outcome);
    return {};
  };
}

/**
 * Proves a session with a one-time password. Counts the attempt before comparing, so a stolen session cannot guess the
 * password.
 */
export function proveBySecondFactor({
  clock,
  limiter,
  metrics,
  secondFactors,
}: Dependencies): RpcHandler<Rpc['proveBySecondFactor']> {
  return async (request) => {
    const requester = readOwner(request);
    await limiter.consume('secondFactorProofsPerAccount', requester.userId).catch((error: unknown) => {
      if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
      metrics.secondFactor.inc({ event: 'limited' });
      const { retryAfterMs } = error;
      const message = 'Too many attempts for this account. Confirm another way, or try again tomorrow.';
      throw createIdentityError('rate_limited', 'proof_limited', message, undefined, { retryAfterMs });
    });
    const code = normalizeCode(request.code ?? '');
    // Anything that is not a one-time password is wrong without comparison.
    const outcome = isOneTimePassword(code) ? await secondFactors.prove(requester, code, clock.now()) : 'wrong';
    if (outcome === 'session_missing') throw sessionInvalid();
    metrics.secondFactor.inc({ event: outcome === 'proven' ? 'proved' : 'wrong' });
    if (outcome !== 'proven') throw refuse(outcome);
    return {};
  };
}

/**
 * Refuses a pending account request. Requires no proof: a session that was never asked for the factor belongs to
 * someone the owner lets in, and refusing must be quick.
 */
export function refuseAccountWait({
  clock,
  factorTickets,
  metrics,
}: Dependencies): RpcHandler<Rpc['refuseAccountWait']> {
  return async (request) => {
    if (!(await factorTickets.refuse(readOwner(request), clock.now()))) {
      throw createIdentityError('not_found', 'account_wait_not_found', 'Nobody is waiting for access to your account.');
    }
    metrics.secondFactor.inc({ event: 'wait_refused' });
    return {};
  };
}
